import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { filesBelow } from '../system/index.js';

/** Files on this machine that an upload is written to before it is known to be worth keeping. */
@Injectable()
export class TemporaryFiles {
  private readonly folder: string;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'uploads');
  }

  /** A path that nothing else uses; `discard` follows, whatever happens. */
  async path(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, randomUUID());
  }

  /** Discarding what has been moved away is no error. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Forgets what crashes have left: files that no living upload can still be writing. */
  async removeBefore(moment: Date): Promise<void> {
    for await (const path of filesBelow(this.folder)) {
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtime < moment) await this.discard(path);
    }
  }
}
