import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { WorkLock } from '../../common/database/index.js';
import { Config } from '../../common/config/index.js';
import { nextAttemptAt, PollingWorker, type RetryPlan } from '../../common/jobs/index.js';
import { Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { ImportRunnerService } from './import-runner.service.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

const RETRIES: RetryPlan = { delaysMs: [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS], withinMs: 6 * HOUR_MS };

/** Reads the files of imports in the background, one at a time. */
@Injectable()
export class ImportWorker extends PollingWorker<WorkLock> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    config: Config,
    private readonly imports: ImportsRepository,
    private readonly runner: ImportRunnerService,
    service: ImportsService,
  ) {
    super(registry, clock, config, { name: 'license-import', concurrency: 1, locks: imports.locks });
    service.due.add(() => this.wake());
  }

  protected override prepare(): Promise<void> {
    return this.imports.deleteExpired(this.clock.now());
  }

  protected take(): Promise<WorkLock | null> {
    return this.imports.locks.takeDue(this.clock.now());
  }

  protected async process(lock: WorkLock): Promise<void> {
    try {
      await this.runner.run(lock, () => !this.isStopping);
    } catch (error) {
      const row = await this.imports.findLocked(lock);
      if (row === null) return;
      const [now, failures] = [this.clock.now(), row.attempts + 1];
      const dueAt = nextAttemptAt(RETRIES, { failures, since: row.updatedAt }, now, Math.random());
      const state = dueAt === null ? 'failed' : row.state;
      await this.imports.changeLocked(lock, row.nextPage, {
        state,
        dueAt,
        attempts: failures,
        leaseToken: null,
        leaseUntil: null,
      });
      this.log.error({ msg: 'import interrupted', importId: row.id, state, err: error });
    }
  }
}
