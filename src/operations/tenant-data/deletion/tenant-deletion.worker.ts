import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { LogContext } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { PollingWorker } from '../../../common/jobs/index.js';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import { keepLock } from '../keep-lock.js';
import { TenantDeletionRepository, type DueDeletion } from './tenant-deletion.repository.js';
import { TenantDeletionService } from './tenant-deletion.service.js';

const RETRY_AFTER_MS = 10 * MINUTE_MS;

/** Deletes the tenants whose deletion is due, one at a time. */
@Injectable()
export class TenantDeletionWorker extends PollingWorker<DueDeletion> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    config: Config,
    private readonly deletions: TenantDeletionRepository,
    private readonly service: TenantDeletionService,
  ) {
    super(registry, clock, config, { name: 'tenant-deletion', concurrency: 1, locks: deletions.locks });
  }

  protected take(): Promise<DueDeletion | null> {
    return this.deletions.take(this.clock.now());
  }

  protected override logContextOf({ tenantId }: DueDeletion): LogContext {
    return { tenantId };
  }

  protected async process(deletion: DueDeletion): Promise<void> {
    try {
      await this.service.carryOut(deletion, keepLock(this.deletions.locks, deletion));
      this.log.log({ msg: 'tenant deleted' });
    } catch (error) {
      this.log.error({ msg: 'tenant not deleted yet', err: error });
      await this.deletions.postpone(deletion, new Date(this.clock.now().getTime() + RETRY_AFTER_MS));
    }
  }
}
