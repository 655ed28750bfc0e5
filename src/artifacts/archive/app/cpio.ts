import { InvalidArchive } from '../archive-errors.js';
import { MAX_ENTRIES, MAX_JSON_BYTES, MAX_NAME_BYTES } from '../archive-limits.js';
import type { ByteStream } from './byte-stream.js';

/** Files that are kept at most; an app has some dozens of bundles. */
const MAX_KEPT = 200;
const LAST = 'TRAILER!!!';

/** A header of cpio: where its numbers are, their base, and the multiple of bytes that names and contents are padded to. */
interface Format {
  readonly bytes: number;
  readonly base: 8 | 16;
  readonly nameBytes: readonly [number, number];
  readonly size: readonly [number, number];
  readonly padding: number;
}

/** By the six characters that a header begins with. */
const FORMATS: Readonly<Record<string, Format>> = {
  '070707': { bytes: 76, base: 8, nameBytes: [59, 65], size: [65, 76], padding: 1 },
  '070701': { bytes: 110, base: 16, nameBytes: [94, 102], size: [54, 62], padding: 4 },
  '070702': { bytes: 110, base: 16, nameBytes: [94, 102], size: [54, 62], padding: 4 },
};

/**
 * The contents of the wanted files of a cpio archive, by path. Everything else is passed over, and nothing is written.
 * @throws InvalidArchive
 */
export async function readCpio(
  stream: ByteStream,
  isWanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const kept = new Map<string, Buffer>();
  for (let count = 0; ; count += 1) {
    if (count > MAX_ENTRIES) throw refuse(`has more than ${MAX_ENTRIES} files`);
    const { name, size, padding } = await readHeader(stream);
    if (name === LAST) return kept;
    if (size > 0 && isWanted(name)) {
      if (size > MAX_JSON_BYTES || kept.size >= MAX_KEPT) throw refuse('has too many or too large lists of properties');
      kept.set(name, await stream.take(size));
    } else await stream.skip(size);
    await stream.skip(padding);
  }
}

interface Header {
  readonly name: string;
  readonly size: number;
  /** Bytes after the content. */
  readonly padding: number;
}

async function readHeader(stream: ByteStream): Promise<Header> {
  const magic = await stream.take(6);
  const format = FORMATS[magic.toString('latin1')];
  if (format === undefined) throw refuse('has a list of files of an unknown kind');
  const header = Buffer.concat([magic, await stream.take(format.bytes - magic.length)]).toString('latin1');
  const numberAt = ([from, to]: readonly [number, number]): number => {
    const digits = header.slice(from, to);
    if (!(format.base === 8 ? /^[0-7]+$/ : /^[\da-f]+$/i).test(digits)) throw refuse('has a damaged list of files');
    return Number.parseInt(digits, format.base);
  };
  const nameBytes = numberAt(format.nameBytes);
  const size = numberAt(format.size);
  if (nameBytes < 1 || nameBytes > MAX_NAME_BYTES) throw refuse('has a file with an impossible name');
  const name = (await stream.take(nameBytes)).toString('utf8').split('\0', 1)[0] ?? '';
  await stream.skip(paddingOf(format.bytes + nameBytes, format));
  return { name, size, padding: paddingOf(size, format) };
}

const paddingOf = (bytes: number, { padding }: Format): number => (padding - (bytes % padding)) % padding;

const refuse = (why: string): InvalidArchive => new InvalidArchive(`The payload of the package ${why}.`);
