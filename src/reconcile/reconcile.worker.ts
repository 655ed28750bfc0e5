import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import type { LogContext } from '../common/access/index.js';
import { PollingWorker } from '../common/jobs/index.js';
import { TargetStatusRepository, type LockedTarget } from '../targets/index.js';
import { TargetDriverService } from './target-driver.service.js';

/** Works on the targets that are due, a few at a time. */
@Injectable()
export class ReconcileWorker extends PollingWorker<LockedTarget> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    config: Config,
    private readonly statuses: TargetStatusRepository,
    private readonly driver: TargetDriverService,
  ) {
    super(registry, clock, config, {
      name: 'reconcile',
      concurrency: config.reconcileConcurrency,
      locks: statuses.locks,
    });
  }

  override beforeApplicationShutdown(): Promise<void> {
    this.driver.stop();
    return super.beforeApplicationShutdown();
  }

  protected take(): Promise<LockedTarget | null> {
    return this.statuses.takeDue(this.clock.now());
  }

  protected override logContextOf({ id: targetId, extensionId, tenantId }: LockedTarget): LogContext {
    return { targetId, extensionId, ...(tenantId === null ? {} : { tenantId }) };
  }

  protected async process(target: LockedTarget): Promise<void> {
    await this.driver.run(target);
  }
}
