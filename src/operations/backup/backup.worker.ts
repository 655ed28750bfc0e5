import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { PollingWorker } from '../../common/jobs/index.js';
import { Clock, SECOND_MS } from '../../common/system/index.js';
import { BackupRunsRepository, type DueBackup } from './backup-runs.repository.js';
import { BackupRunsService } from './backup-runs.service.js';
import type { MadeBackup } from './backups.service.js';

const RENEW_EVERY_MS = 20 * SECOND_MS;

/** Makes the scheduled backups, in the one process that takes the due row. */
@Injectable()
export class BackupWorker extends PollingWorker<DueBackup> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    private readonly config: Config,
    private readonly runs: BackupRunsRepository,
    private readonly service: BackupRunsService,
  ) {
    super(registry, clock, config, { name: 'backup', concurrency: 1, locks: runs.locks });
  }

  protected override prepare(): Promise<void> {
    return this.service.schedule();
  }

  protected override async nextDue(): Promise<Date | null> {
    return this.config.backupEveryHours === undefined ? null : super.nextDue();
  }

  protected take(): Promise<DueBackup | null> {
    return this.runs.take(this.clock.now());
  }

  protected async process(backup: DueBackup): Promise<void> {
    try {
      const work = (): Promise<MadeBackup> => this.service.carryOut(backup);
      const { name, size, deleted } = await this.runs.locks.whileRenewed(backup, RENEW_EVERY_MS, work);
      this.log.log({ msg: 'backup made', name, size, deleted: deleted.length });
    } catch (error) {
      this.log.error({ msg: 'backup failed', err: error });
    }
  }
}
