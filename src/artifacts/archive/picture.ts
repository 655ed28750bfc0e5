import type { Picture } from '../../stores/pure.js';

type Size = Picture['size'];
type Reader = (bytes: Buffer) => Size;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const ICO = Buffer.from([0, 0, 1, 0]);
/** Characters in which an SVG has its first element, after a licence and the like. */
const SVG_WITHIN = 16_384;

/** Recognizes an image file by its first bytes. Pure. */
export function pictureIn(bytes: Buffer): Picture {
  const [kind, read] = FORMATS.find(([, , is, header]) => bytes.length >= header && is(bytes)) ?? [];
  if (kind !== undefined && read !== undefined) return { kind, size: read(bytes) };
  const isSvg = /<svg[\s>]/.test(bytes.subarray(0, SVG_WITHIN).toString('latin1'));
  return { kind: isSvg ? 'svg' : 'other', size: null };
}

const sized = (width: number, height: number): Size => ({ width, height });

const marked =
  (text: string, at = 0) =>
  (bytes: Buffer): boolean =>
    bytes.toString('latin1', at, at + text.length) === text;

/** Each format with what reads its size, what recognizes it, and the bytes of its header. */
const FORMATS: readonly (readonly [Picture['kind'], Reader, (bytes: Buffer) => boolean, number])[] = [
  ['png', (bytes) => sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20)), (bytes) => bytes.indexOf(PNG) === 0, 24],
  ['jpeg', jpegSize, (bytes) => bytes.readUInt16BE(0) === SOI, 2],
  ['gif', (bytes) => sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8)), marked('GIF8'), 10],
  ['bmp', (bytes) => sized(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))), marked('BM'), 26],
  ['ico', icoSize, (bytes) => bytes.indexOf(ICO) === 0, 6],
  ['webp', webpSize, (bytes) => marked('RIFF')(bytes) && marked('WEBP', 8)(bytes), 30],
];

const SOI = 0xffd8;
/** Markers of a frame, without those of tables that lie between them. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

const ICO_ENTRY_BYTES = 16;

/** That of its largest image. */
function icoSize(bytes: Buffer): Size {
  const count = Math.min(bytes.readUInt16LE(4), Math.floor((bytes.length - 6) / ICO_ENTRY_BYTES));
  let largest: Size = null;
  for (let entry = 0; entry < count; entry++) {
    const at = 6 + entry * ICO_ENTRY_BYTES;
    // A byte holds no 256, for which 0 stands.
    const [width, height] = [bytes.readUInt8(at) || 256, bytes.readUInt8(at + 1) || 256];
    if (largest === null || width > largest.width) largest = sized(width, height);
  }
  return largest;
}

function webpSize(bytes: Buffer): Size {
  if (marked('VP8X', 12)(bytes)) return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (marked('VP8 ', 12)(bytes)) return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (!marked('VP8L', 12)(bytes)) return null;
  const bits = bytes.readUInt32LE(21);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}
