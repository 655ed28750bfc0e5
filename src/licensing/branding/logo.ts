import { crc32 } from 'node:zlib';

/** Largest logo, in bytes and in pixels of either side. */
export const MAX_LOGO_BYTES = 64 * 1024;
export const MAX_LOGO_SIDE = 1024;

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
type LogoType = (typeof LOGO_TYPES)[number];

/** A logo that browsers can show. */
export interface Logo {
  readonly type: LogoType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

type Measured = Omit<Logo, 'type'>;

/** Size that no picture may have. */
const NO_SIZE: Measured = { width: 0, height: 0 };

const READERS: Readonly<Record<LogoType, (bytes: Buffer) => Measured | null>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

/**
 * Recognizes a logo by its bytes: one whole picture from the first byte to the last, so that no other kind of file can hide behind it. Pure.
 * @returns the logo, or the end of a sentence that says what is wrong
 */
export function readLogo(bytes: Buffer): Logo | string {
  if (bytes.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES / 1024} kB.`;
  for (const type of LOGO_TYPES) {
    const size = READERS[type](bytes);
    if (size === null) continue;
    const { width, height } = size;
    return Math.min(width, height) < 1 || Math.max(width, height) > MAX_LOGO_SIDE
      ? `must be at most ${MAX_LOGO_SIDE} pixels wide and high; this one has ${width} × ${height}.`
      : { type, width, height };
  }
  return 'must be a complete, still PNG, JPEG or WebP picture with nothing after it.';
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Walks the chunks, whose sums must be right, from IHDR to IEND. */
function readPng(bytes: Buffer): Measured | null {
  if (!bytes.subarray(0, 8).equals(PNG_START)) return null;
  let size: Measured | null = null;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if ((size === null) !== (kind === 'IHDR') || kind === 'acTL') return null;
    if (kind === 'IHDR') {
      if (length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    hasPixels ||= kind === 'IDAT';
    if (kind === 'IEND') return end === bytes.length && hasPixels ? size : null;
    at = end;
  }
  return null;
}

/** Frames, without those that mean something else (DHT, JPG, DAC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const JPEG_START = Buffer.from([0xff, 0xd8]);

/** Walks the segments from the first marker to the last one. */
function readJpeg(bytes: Buffer): Measured | null {
  if (!bytes.subarray(0, 2).equals(JPEG_START)) return null;
  let size: Measured | null = null;
  let isScanned = false;
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return isScanned && at + 2 === bytes.length ? size : null;
    const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0;
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (isFrame(marker)) {
      if (size !== null) return null;
      size = frameOf(bytes.subarray(at, end)) ?? NO_SIZE;
    }
    isScanned ||= marker === 0xda;
    at = marker === 0xda ? endOfScan(bytes, end) : end;
  }
  return null;
}

const frameOf = (segment: Buffer): Measured | null =>
  segment.length < 10 ? null : { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };

/** Finds the next marker outside the scan data, which stuffed zeros and restarts belong to. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  while (at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += 1;
  }
  return bytes.length;
}

/** Walks the chunks of a RIFF file that says its own length. */
function readWebp(bytes: Buffer): Measured | null {
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  if (!isRiff || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  let size: Measured | null = null;
  let hasPixels = false;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length || kind === 'ANIM' || kind === 'ANMF') return null;
    const canvas = WEBP_SIZES[kind]?.(data);
    if (canvas === null) return null;
    size ??= canvas ?? null;
    hasPixels ||= kind === 'VP8 ' || kind === 'VP8L';
    at += 8 + length + (length % 2);
  }
  return at === bytes.length && hasPixels ? size : null;
}

/** Readers of the picture's size, by the kind of a WebP chunk. */
const WEBP_SIZES: Readonly<Record<string, (data: Buffer) => Measured | null>> = {
  VP8X: (data) => (data.length < 10 ? null : { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }),
  'VP8 ': (data) =>
    data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a
      ? null
      : { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff },
  VP8L: (data) => {
    if (data.length < 5 || data[0] !== 0x2f) return null;
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  },
};
