import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { PollingWorker } from '../../common/jobs/index.js';
import { Clock, SECOND_MS } from '../../common/system/index.js';
import { BackupRunsRepository, type ClaimedBackup } from './backup-runs.repository.js';
import { BackupRunsService } from './backup-runs.service.js';
import type { MadeBackup } from './backups.service.js';

const RENEW_EVERY_MS = 20 * SECOND_MS;

/** Makes the scheduled backups, in the one process that claims the due row. */
@Injectable()
export class BackupWorker extends PollingWorker<ClaimedBackup> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    private readonly config: Config,
    private readonly runs: BackupRunsRepository,
    private readonly service: BackupRunsService,
  ) {
    super(registry, clock, config, { name: 'backup', concurrency: 1, leases: runs.leases });
  }

  protected override prepare(): Promise<void> {
    return this.service.schedule();
  }

  protected override async nextDue(): Promise<Date | null> {
    return this.config.backupEveryHours === undefined ? null : super.nextDue();
  }

  protected claim(): Promise<ClaimedBackup | null> {
    return this.runs.claim(this.clock.now());
  }

  protected async process(claimed: ClaimedBackup): Promise<void> {
    try {
      const work = (): Promise<MadeBackup> => this.service.carryOut(claimed);
      const { name, size, deleted } = await this.runs.leases.whileRenewed(claimed, RENEW_EVERY_MS, work);
      this.log.log({ msg: 'backup made', name, size, deleted: deleted.length });
    } catch (error) {
      this.log.error({ msg: 'backup failed', err: error });
    }
  }
}
