import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { filesBelow } from '../system/index.js';

/** Temporary files, for uploads that are not yet known to be valid. */
@Injectable()
export class TemporaryFiles {
  private readonly folder: string;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'uploads');
  }

  /** Returns an unused path. The caller must `discard` it in any case. */
  async path(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, randomUUID());
  }

  /** Deletes a file, if it still exists. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Deletes files that crashes have left: those too old for a running upload. */
  async removeBefore(moment: Date): Promise<void> {
    for await (const path of filesBelow(this.folder)) {
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtime < moment) await this.discard(path);
    }
  }
}
