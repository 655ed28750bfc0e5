import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config/index.js';
import { filesBelow, makeFolder, syncToDisk } from '../system/index.js';
import { BlobStore, type ByteRange, type StoredBlob } from './blob-store.js';

const KEY = /^(?:(?:[0-9a-f]{2}|exports)\/[0-9a-f.-]+|clients\/[a-z][\w.+-]+)$/;

/** Stores blobs as files below `DATA_DIR/blobs`, on the same disk as temporary files, so that storing is a rename. */
export class DiskBlobStore extends BlobStore {
  private readonly root: string;

  constructor({ dataDir }: Pick<Config, 'dataDir'>) {
    super();
    this.root = join(dataDir, 'blobs');
  }

  override async put(path: string, key: string): Promise<void> {
    const kept = this.pathOf(key);
    await syncToDisk(path);
    await makeFolder(this.root);
    await makeFolder(dirname(kept));
    await rename(path, kept);
    await syncToDisk(dirname(kept));
  }

  override async open(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r');
    return file.createReadStream(range && { start: range.offset, end: range.offset + range.length - 1 });
  }

  override async exists(key: string): Promise<boolean> {
    try {
      return (await stat(this.pathOf(key))).isFile();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  /** Skips files that Pierhead did not write. */
  override async *list(folder = ''): AsyncIterable<StoredBlob> {
    for await (const path of filesBelow(join(this.root, folder))) {
      const key = relative(this.root, path).split(sep).join('/');
      const found = KEY.test(key) ? await stat(path).catch(() => null) : null;
      if (found !== null) yield { key, modifiedAt: found.mtime };
    }
  }

  override async check(): Promise<void> {
    await makeFolder(this.root);
    await access(this.root, constants.W_OK);
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`${key} is not a blob key`);
    return join(this.root, key);
  }
}
