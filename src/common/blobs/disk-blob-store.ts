import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { BlobStore, type StoredBlob } from './blob-store.js';

/** Blobs as files below `DATA_DIR/blobs`; temporary ones stand beside, so that keeping one is a rename. */
@Injectable()
export class DiskBlobStore extends BlobStore {
  private readonly root: string;
  private readonly temporary: string;

  constructor(config: Config) {
    super();
    this.root = join(config.dataDir, 'blobs');
    this.temporary = join(config.dataDir, 'uploads');
  }

  override async temporaryPath(): Promise<string> {
    await mkdir(this.temporary, { recursive: true, mode: 0o700 });
    return join(this.temporary, randomUUID());
  }

  override async keep(temporaryPath: string, key: string): Promise<void> {
    const path = this.pathOf(key);
    await sync(temporaryPath);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporaryPath, path);
    await sync(dirname(path));
  }

  override async discard(temporaryPath: string): Promise<void> {
    await rm(temporaryPath, { force: true });
  }

  override async open(key: string): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r');
    return file.createReadStream();
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  override async *list(): AsyncIterable<StoredBlob> {
    for await (const path of filesBelow(this.root)) {
      const found = await stat(path).catch(() => null);
      if (found !== null) yield { key: relative(this.root, path).split(sep).join('/'), modifiedAt: found.mtime };
    }
  }

  override async removeTemporaryBefore(moment: Date): Promise<void> {
    for await (const path of filesBelow(this.temporary)) {
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtime < moment) await rm(path, { force: true });
    }
  }

  override async check(): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    await access(this.root, constants.W_OK);
  }

  private pathOf(key: string): string {
    if (!/^[0-9a-f]{2}\/[0-9a-f.-]+$/.test(key)) throw new Error(`${key} is no blob key`);
    return join(this.root, key);
  }
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  const directory = await opendir(folder, { recursive: true }).catch(() => null);
  if (directory === null) return;
  for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

/** Forces a file or a folder's entries to the disk: what is acknowledged must survive a power cut. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
