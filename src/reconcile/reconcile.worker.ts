import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock, SECOND_MS } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import type { LogContext } from '../common/observability/index.js';
import { PollingWorker } from '../common/jobs/index.js';
import { TargetStatusRepository, type LeasedTarget } from '../targets/index.js';
import { Reconciler } from './reconciler.service.js';

/** Works on the targets that are due, a few at a time. */
@Injectable()
export class ReconcileWorker extends PollingWorker<LeasedTarget> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    private readonly config: Config,
    private readonly statuses: TargetStatusRepository,
    private readonly reconciler: Reconciler,
  ) {
    const { reconcileEverySeconds, reconcileConcurrency: concurrency } = config;
    super(registry, clock, { name: 'reconcile', everyMs: reconcileEverySeconds * SECOND_MS, concurrency });
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.config.embedded) await this.statuses.leases.voidAll();
    await super.onApplicationBootstrap();
  }

  override beforeApplicationShutdown(): Promise<void> {
    this.reconciler.stop();
    return super.beforeApplicationShutdown();
  }

  protected claim(): Promise<LeasedTarget | null> {
    return this.statuses.claimDue(this.clock.now());
  }

  protected override logContextOf({ id: targetId, extensionId }: LeasedTarget): LogContext {
    return { targetId, extensionId };
  }

  protected async process(leased: LeasedTarget): Promise<void> {
    await this.reconciler.run(leased);
  }

  protected nextDue(): Promise<Date | null> {
    return this.statuses.leases.nextDue();
  }
}
