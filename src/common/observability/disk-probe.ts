import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock, freePercent, probeFolder } from '../system/index.js';
import { Config } from '../config/index.js';

/** A result is reused for this long, so that frequent checks cost no writes. */
const REUSE_MS = 5_000;
/** A disk that takes longer, such as an unreachable network disk, counts as down. */
const TIMEOUT_MS = 2_000;

/** Checks whether `DATA_DIR` has room and takes writes: uploads arrive there, wherever packages are stored. */
@Injectable()
export class DiskProbe {
  private readonly folder: string;
  private result: Promise<void> = Promise.resolve();
  private isRunning = false;
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.folder = join(config.dataDir, 'uploads');
  }

  /** Throws when a small file could not be written in time, or too little of the disk is free. */
  async check(): Promise<void> {
    const now = this.clock.now().getTime();
    // No second write starts while one hangs. A clock that was set back must not put the next one off.
    if (!this.isRunning && Math.abs(now - this.checkedAt) >= REUSE_MS) {
      this.checkedAt = now;
      this.isRunning = true;
      this.result = this.probe().finally(() => (this.isRunning = false));
      this.result.catch(() => undefined);
    }
    const ended = new AbortController();
    const timeout = pause(TIMEOUT_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new Error('The disk does not answer in time');
    });
    timeout.catch(() => undefined);
    try {
      await Promise.race([this.result, timeout]);
    } finally {
      ended.abort();
    }
  }

  private async probe(): Promise<void> {
    await probeFolder(this.folder, 'probe');
    const { diskMinFreePercent: least } = this.config;
    const free = await freePercent(this.folder);
    if (free < least)
      throw new Error(`Only ${free.toFixed(1)} % of the disk are free: DISK_MIN_FREE_PERCENT is ${least}`);
  }
}
