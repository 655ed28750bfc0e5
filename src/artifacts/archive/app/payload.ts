import { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import xz from 'xz-decompress';
import { InvalidArchive } from '../archive-errors.js';
import type { BoundedReader } from '../zip/index.js';
import { ByteStream } from './byte-stream.js';
import { readCpio } from './cpio.js';
import type { XarFile } from './xar.js';

const PIECE_BYTES = 64 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
const PBZX = 'pbzx';
const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
/** Apple's tools pack 16 MiB at a time. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;
/** So many make the largest payload many times over; each is unpacked by itself. */
const MAX_CHUNKS = 2048;

/**
 * Reads the wanted files of a package's payload: cpio in gzip, as Apple's tools write it by default, or in pbzx, their newer form.
 * @throws InvalidArchive
 */
export async function readPayload(
  reader: BoundedReader,
  file: XarFile,
  isWanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const { length } = file;
  const unpacked = (source: AsyncIterable<Uint8Array>): ByteStream => new ByteStream(source, length);
  if (file.isDeflated) throw cannot('it is packed twice');
  const start = await reader.readAt(file.at, Math.min(length, PBZX.length));
  if (start.toString('latin1') === PBZX) return readCpio(unpacked(chunksOfPbzx(reader, file)), isWanted);
  if (!start.subarray(0, GZIP.length).equals(GZIP)) throw cannot('it is packed in an unknown way');
  return through(createGunzip({ chunkSize: PIECE_BYTES }), reader, file, (source) =>
    readCpio(unpacked(source), isWanted),
  );
}

/** A file of the archive that is small enough for memory. */
export async function readXarFile(reader: BoundedReader, file: XarFile, mostBytes: number): Promise<Buffer> {
  if (Math.max(file.length, file.size) > mostBytes) throw cannot(`${file.path} is too large`);
  if (!file.isDeflated) return Buffer.from(await reader.readAt(file.at, file.length));
  return through(createInflate({ maxOutputLength: mostBytes }), reader, file, (source) =>
    new ByteStream(source, file.length).take(file.size),
  );
}

/** Unpacks a file while it is read. The rest of it is left out once that has ended. */
async function through<Result>(
  unpacking: Gunzip | Inflate,
  reader: BoundedReader,
  file: XarFile,
  read: (source: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  let found: { readonly result: Result } | undefined;
  try {
    await pipeline(piecesOf(reader, file), unpacking, async (source: AsyncIterable<Uint8Array>) => {
      found = { result: await read(source) };
    });
  } catch (error) {
    // Bytes after the end of the archive are cut off, which the pipeline takes for a fault.
    if (found === undefined)
      throw error instanceof InvalidArchive || error === reader.fault ? error : cannot('it cannot be unpacked');
  }
  if (found === undefined) throw cannot('it is empty');
  return found.result;
}

async function* piecesOf(reader: BoundedReader, { at, length }: XarFile): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; done += PIECE_BYTES)
    yield Buffer.from(await reader.readAt(at + done, Math.min(PIECE_BYTES, length - done)));
}

/** Each chunk has its length in front, and is an xz stream, or as it was where that would be longer. */
async function* chunksOfPbzx(reader: BoundedReader, { at, length }: XarFile): AsyncGenerator<Uint8Array> {
  const end = at + length;
  for (let position = at + PBZX.length + 8, count = 1; position < end; count += 1) {
    if (count > MAX_CHUNKS) throw cannot('it is in too many pieces');
    const header = await reader.readAt(position, 16);
    const bytes = Number(header.readBigUInt64BE(8));
    if (bytes > MAX_CHUNK_BYTES || position + 16 + bytes > end) throw cannot('it is damaged');
    const chunk = Buffer.from(await reader.readAt(position + 16, bytes));
    position += 16 + bytes;
    if (chunk.subarray(0, XZ.length).equals(XZ)) yield* unxz(chunk);
    else yield chunk;
  }
}

async function* unxz(chunk: Buffer): AsyncGenerator<Uint8Array> {
  try {
    yield* new xz.XzReadableStream(ReadableStream.from([chunk]));
  } catch (error) {
    throw error instanceof InvalidArchive ? error : cannot('it cannot be unpacked');
  }
}

const cannot = (why: string): InvalidArchive =>
  new InvalidArchive(`The payload of the package cannot be read: ${why}.`);
