import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Config } from '../common/config/index.js';
import type { WorkLock } from '../common/database/index.js';
import { PollingWorker } from '../common/jobs/index.js';
import { Clock } from '../common/system/index.js';
import { ListingReaderService } from './listing-reader.service.js';
import { ReadingsRepository } from './readings.repository.js';

const RENEW_EVERY_MS = 30_000;

/** Reads items at their stores, one at a time: nobody waits for it. */
@Injectable()
export class ListingsWorker extends PollingWorker<WorkLock> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    config: Config,
    private readonly readings: ReadingsRepository,
    private readonly reader: ListingReaderService,
  ) {
    super(registry, clock, config, { name: 'listings', concurrency: 1, locks: readings.locks });
  }

  protected take(): Promise<WorkLock | null> {
    return this.readings.takeDue(this.clock.now());
  }

  protected override nextDue(): Promise<Date | null> {
    return this.readings.nextDue();
  }

  protected process(lock: WorkLock): Promise<void> {
    return this.readings.locks.whileRenewed(lock, RENEW_EVERY_MS, () => this.reader.read(lock));
  }
}
