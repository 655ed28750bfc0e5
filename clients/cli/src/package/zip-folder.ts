import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Zip, ZipDeflate } from 'fflate';
import type { Ignores } from './ignored.js';
import { assertNoPrivateKey, assertNotNamedAsSecret } from './secrets.js';

/** A zip on disk. */
export interface ZipOnDisk {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

/** A zip that was made from a folder, in a temporary folder of its own. */
export interface ZippedFolder extends ZipOnDisk {
  /** Its entries, in their order. */
  readonly files: readonly string[];
  /** Deletes it. */
  discard(): Promise<void>;
}

/** Options for zipping a folder. */
export interface Zipping {
  /** Ends it, and leaves nothing behind. */
  readonly signal?: AbortSignal;
  /** Called with the bytes packed so far, and the bytes in all. */
  readonly onProgress?: (packed: number, all: number) => void;
  /** Advice on leaving a file out, for the refusal of one with a private key; without it, none is looked for. */
  readonly leaveOutBy?: string;
  /** Files that the user takes in although they are named as secrets are. */
  readonly named?: readonly string[];
}

/** A file, relative to the folder and with `/`. */
interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** The highest level takes three times as long for some files, and makes none of them a twentieth smaller. Another level makes another zip. */
const LEVEL = 6;
/** Any constant would do. The format keeps local time, so this is the same in every time zone. */
const MTIME = new Date(1980, 0, 1);
const MODE = 0o100644;
/** The format's number for Unix, whose modes the files have. */
const UNIX = 3;

/**
 * Zips what is not ignored, streaming. The same files give the same bytes, whatever their times, modes and order, and whichever Node.js
 * packs them: zlib, which Node.js brings, compresses otherwise from version to version. Links are followed.
 * @throws Error when nothing is left, or a file cannot be read
 */
export async function zipFolder(folder: string, ignores: Ignores, zipping: Zipping = {}): Promise<ZippedFolder> {
  const found = await findFiles(folder, ignores);
  const files = found.map(({ path }) => path);
  if (files.length === 0) throw new Error(`${folder} has no file to pack.`);
  if (zipping.leaveOutBy !== undefined) {
    await assertNoPrivateKey(folder, found, zipping.leaveOutBy);
    assertNotNamedAsSecret(folder, files, zipping.leaveOutBy, zipping.named);
  }
  const temporary = await mkdtemp(join(tmpdir(), 'pierhead-zip-'));
  const discard = (): Promise<void> => rm(temporary, { recursive: true, force: true });
  const path = join(temporary, 'package.zip');
  try {
    const written = await write(zipped(folder, found, zipping), path, zipping.signal);
    return { path, ...written, files, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** The bytes of the zip, made as they are asked for. */
async function* zipped(
  folder: string,
  files: readonly PackedFile[],
  { onProgress }: Zipping,
): AsyncGenerator<Uint8Array> {
  const all = files.reduce((sum, { size }) => sum + size, 0);
  let packed = 0;
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  for (const { path } of files) {
    const entry = Object.assign(new ZipDeflate(path, { level: LEVEL }), { mtime: MTIME, os: UNIX, attrs: MODE << 16 });
    zip.add(entry);
    for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
      entry.push(chunk);
      packed += chunk.length;
      onProgress?.(packed, all);
      yield* made.splice(0);
    }
    entry.push(new Uint8Array(), true);
    yield* made.splice(0);
  }
  zip.end();
  yield* made.splice(0);
}

async function write(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<ZipOnDisk, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(bytes, meter, createWriteStream(path, { mode: 0o600 }), { signal });
  return { size, sha256: hash.digest('hex') };
}

/** Every file below a folder that is not ignored, relative to it and with `/`, in the order of its characters. */
export const filesOf = async (folder: string, ignores: Ignores): Promise<readonly string[]> =>
  (await findFiles(folder, ignores)).map(({ path }) => path);

async function findFiles(folder: string, ignores: Ignores): Promise<readonly PackedFile[]> {
  const found: PackedFile[] = [];
  const walk = async (inside: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(join(folder, inside));
    if (above.includes(real)) throw new Error(`${join(folder, inside)} is a link to a folder that contains it.`);
    for (const name of await readdir(real)) {
      const path = inside === '' ? name : `${inside}/${name}`;
      if (ignores(path)) continue;
      const kind = await statOrThrow(join(folder, path));
      if (kind.isDirectory() && ignores(path, true)) continue;
      if (kind.isDirectory()) await walk(path, [...above, real]);
      else if (kind.isFile()) found.push({ path, size: kind.size });
    }
  };
  await walk('', []);
  return found.sort((one, other) => byCharacter(one.path, other.path));
}

async function statOrThrow(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
    throw new Error(`${path} is a link that leads ${code === 'ELOOP' ? 'to itself' : 'nowhere'}.`, { cause: error });
  }
}

/** The same in every language, as `localeCompare` is not. */
const byCharacter = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
