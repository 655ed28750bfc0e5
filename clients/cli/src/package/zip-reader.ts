import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { usageFailure } from '../failure.js';
import { CRX_MAGIC, CRX_PREAMBLE_BYTES, zipStartOf } from '../preflight/rules.js';
import type { ZipOnDisk } from './zip-folder.js';

/** The files of a zip, by name; folders are left out. */
export class ZipReader {
  private constructor(
    private readonly zip: yauzl.ZipFile,
    private readonly entries: ReadonlyMap<string, yauzl.Entry>,
  ) {}

  /** @throws Error when it is not a zip, or names a path outside of it */
  static async open(path: string): Promise<ZipReader> {
    let zip: yauzl.ZipFile | undefined;
    const entries = new Map<string, yauzl.Entry>();
    try {
      const [start, { size }] = [await zipStartIn(path), await stat(path)];
      const reader = new FileFrom(path, start);
      zip = await yauzl.fromRandomAccessReaderPromise(reader, size - start, { lazyEntries: true, autoClose: false });
      for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
      return new ZipReader(zip, entries);
    } catch (error) {
      zip?.close();
      throw usageFailure(`${path} is not a readable zip: ${(error as Error).message}`);
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Whether its owner may run it, where the zip was made on a system that has that. */
  isExecutable(name: string): boolean {
    return (((this.entries.get(name)?.externalFileAttributes ?? 0) >>> 16) & 0o100) !== 0;
  }

  /** The content of a file, in pieces. @throws Error when there is none of that name */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw Object.assign(new Error(`The zip has no ${name}.`), { code: 'ENOENT' });
    yield* (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  }

  close(): void {
    this.zip.close();
  }
}

/** Where the zip in a package begins: behind the header of a .crx. */
async function zipStartIn(path: string): Promise<number> {
  if (!(await isSignedPackage(path))) return 0;
  const file = await open(path);
  try {
    return zipStartOf((await file.read(Buffer.alloc(CRX_PREAMBLE_BYTES), 0, CRX_PREAMBLE_BYTES, 0)).buffer);
  } finally {
    await file.close();
  }
}

/** Whether a file is a .crx, by its first bytes. */
export async function isSignedPackage(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(CRX_MAGIC.length), 0, CRX_MAGIC.length, 0);
    return buffer.toString('latin1') === CRX_MAGIC;
  } finally {
    await file.close();
  }
}

/** A file from a place on. */
class FileFrom extends yauzl.RandomAccessReader {
  constructor(
    private readonly path: string,
    private readonly start: number,
  ) {
    super();
  }

  override _readStreamForRange(from: number, end: number): Readable {
    return createReadStream(this.path, { start: this.start + from, end: this.start + end - 1 });
  }
}

/** The SHA-256 of what comes in pieces, in hex. */
export async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Size and hash of an existing zip. @throws Error when it cannot be read */
export async function measureZip(path: string): Promise<ZipOnDisk> {
  const { size } = await stat(path);
  return { path, size, sha256: await sha256Of(createReadStream(path) as AsyncIterable<Buffer>) };
}
