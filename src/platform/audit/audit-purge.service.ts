import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';

/** Entries that one transaction deletes. */
const BATCH = 5000;

/** Deletes entries whose retention has ended. Any number of processes may run it. */
@Injectable()
export class AuditPurgeService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly entries: AuditEntriesRepository,
  ) {}

  @Interval('audit-purge', HOUR_MS)
  async deleteOld(): Promise<void> {
    const keptFrom = new Date(this.clock.now().getTime() - this.config.auditRetentionDays * DAY_MS);
    while ((await this.entries.deleteBefore(keptFrom, BATCH)) === BATCH);
  }
}
