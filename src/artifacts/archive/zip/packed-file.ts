import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';
import type { BoundedReader } from './bounded-reader.js';
import { DEFLATED, LOCAL_HEADER_BYTES, STORED, type PackedFile } from './entry-rules.js';

const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const SIZES_FOLLOW_DATA = 0x8;
const IN_ZIP64 = 0xffffffff;
/** Buffer size for unpacking an entry; a smaller entry is unpacked at once, which takes a tenth of the time. */
const PIECE_BYTES = 64 * 1024;
type Refuse = (why: string) => InvalidArchive;
const refuserOf =
  ({ name }: PackedFile): Refuse =>
  (why) =>
    new InvalidArchive(`The entry "${quotable(name)}" ${why}.`);

/** The content of one entry. Refuses a zip that does not hold what its directory declares. */
export async function readPackedFile(reader: BoundedReader, file: PackedFile): Promise<Buffer> {
  const refuse = refuserOf(file);
  const packed = await reader.readAt(await dataPosition(reader, file, refuse), file.packedSize);
  const content = file.deflated ? inflated(packed, file.size, refuse) : packed;
  assertMatches(file, content.length, crc32(content), refuse);
  return content;
}

/** Digests of a package's contents, in hex. */
export interface ContentDigests {
  readonly all: string;
  /** By name, without folders. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Unpacks every entry, in file order, and refuses the package for the first that is not as declared.
 * @returns the digests of the files, and one of names and contents: the same for a zip that was packed again, at another time or in another order. The command line makes
 * the same one (clients/cli/src/package/content-digest.ts).
 */
export async function digestContents(reader: BoundedReader, files: readonly PackedFile[]): Promise<ContentDigests> {
  const digests = new Map<string, string>();
  for (const file of files.toSorted((one, other) => one.headerAt - other.headerAt)) {
    const isSmall = Math.max(file.packedSize, file.size) <= PIECE_BYTES;
    const digest = isSmall ? sha256Of(await readPackedFile(reader, file)) : await digestPackedFile(reader, file);
    if (!file.name.endsWith('/')) digests.set(file.name, digest);
  }
  const all = createHash('sha256');
  // By code units, the same in every locale.
  for (const name of [...digests.keys()].toSorted()) all.update(`${name}\0${digests.get(name)}\n`);
  return { all: all.digest('hex'), files: digests };
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

async function digestPackedFile(reader: BoundedReader, file: PackedFile): Promise<string> {
  const hash = createHash('sha256');
  const refuse = refuserOf(file);
  const position = await dataPosition(reader, file, refuse);
  let size = 0;
  let checksum = 0;
  const count = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > file.size) throw refuse(larger(file.size));
      checksum = crc32(piece, checksum);
      hash.update(piece);
    }
  };
  const packed = piecesOf(reader, position, file.packedSize);
  if (!file.deflated) await count(packed);
  else
    await pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), count).catch((error: unknown) => {
      throw error instanceof InvalidArchive || error === reader.fault ? error : refuse(UNREADABLE);
    });
  assertMatches(file, size, checksum, refuse);
  return hash.digest('hex');
}

async function* piecesOf(reader: BoundedReader, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += PIECE_BYTES)
    yield await reader.readAt(start + at, Math.min(PIECE_BYTES, length - at));
}

function assertMatches(file: PackedFile, size: number, checksum: number, refuse: Refuse): void {
  if (size !== file.size) throw refuse(`unpacks to ${size} bytes where the zip declares ${file.size}`);
  if (checksum !== file.crc32) throw refuse('is damaged: its checksum is wrong');
}

const UNREADABLE = 'is damaged: it cannot be unpacked';
const larger = (size: number): string => `unpacks to more than the ${size} bytes that the zip declares`;

/** A tool that reads the zip front to back sees the header before the data, so the header must agree with it. */
async function dataPosition(reader: BoundedReader, file: PackedFile, refuse: Refuse): Promise<number> {
  const header = await reader.readAt(file.headerAt, LOCAL_HEADER_BYTES + file.nameBytes.length);
  const same =
    header.readUInt32LE(0) === LOCAL_HEADER_SIGNATURE &&
    header.readUInt16LE(8) === (file.deflated ? DEFLATED : STORED) &&
    header.readUInt16LE(26) === file.nameBytes.length &&
    header.subarray(LOCAL_HEADER_BYTES).equals(file.nameBytes) &&
    ((header.readUInt16LE(6) & SIZES_FOLLOW_DATA) !== 0 ||
      ([file.packedSize, IN_ZIP64].includes(header.readUInt32LE(18)) &&
        [file.size, IN_ZIP64].includes(header.readUInt32LE(22))));
  if (!same) throw refuse('is described differently in two places of the zip');
  return file.headerAt + LOCAL_HEADER_BYTES + file.nameBytes.length + header.readUInt16LE(28);
}

function inflated(packed: Buffer, size: number, refuse: Refuse): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    const isLarger =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw refuse(isLarger ? larger(size) : UNREADABLE);
  }
}
