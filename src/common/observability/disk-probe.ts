import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../system/index.js';
import { Config } from '../config/index.js';

/** As long a finding stands: whoever asks often costs no writes. */
const STANDS_MS = 5_000;
/** A disk that takes longer, such as a network's that is gone, takes nothing. */
const MOST_MS = 2_000;
const BYTES = 4096;

/** Whether `DATA_DIR` still takes writes: uploads arrive there, wherever they are kept. */
@Injectable()
export class DiskProbe {
  private readonly folder: string;
  private finding: Promise<void> = Promise.resolve();
  private isUnderWay = false;
  private foundAt = Number.NEGATIVE_INFINITY;

  constructor(
    { dataDir }: Config,
    private readonly clock: Clock,
  ) {
    this.folder = join(dataDir, 'uploads');
  }

  /** Throws when a small file could not be written, or not in time. */
  async check(): Promise<void> {
    const now = this.clock.now().getTime();
    // A write that hangs is waited for, and not joined by another.
    if (!this.isUnderWay && now - this.foundAt >= STANDS_MS) {
      this.foundAt = now;
      this.finding = this.write();
      this.finding.catch(() => undefined);
    }
    const ended = new AbortController();
    const late = pause(MOST_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new Error('The disk takes too long');
    });
    late.catch(() => undefined);
    try {
      await Promise.race([this.finding, late]);
    } finally {
      ended.abort();
    }
  }

  private async write(): Promise<void> {
    this.isUnderWay = true;
    const path = join(this.folder, 'probe');
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = await open(path, 'w', 0o600);
      try {
        await file.writeFile(Buffer.alloc(BYTES));
        await file.sync();
      } finally {
        await file.close();
      }
    } finally {
      this.isUnderWay = false;
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}
