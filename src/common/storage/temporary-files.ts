import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { dropPath, holdPath, removeAbandoned } from '../system/index.js';

/** Temporary files and folders: uploads that are not yet known to be valid, and what a backup or a restore unpacks. */
@Injectable()
export class TemporaryFiles {
  private readonly folder: string;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'uploads');
  }

  /** Returns an unused path. The caller must `discard` it in any case. */
  async path(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return holdPath(join(this.folder, randomUUID()));
  }

  /** Deletes a file or folder, if it still exists. */
  async discard(path: string): Promise<void> {
    await dropPath(path);
  }

  /** Deletes what processes that were killed have left. */
  async removeAbandoned(): Promise<void> {
    await removeAbandoned(this.folder);
  }

  /** Deletes what processes that were killed have left, and files too old for a running upload. */
  async removeBefore(moment: Date): Promise<void> {
    await this.removeAbandoned();
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (found?.isFile() === true && found.mtime < moment) await rm(path, { force: true });
    }
  }
}
