import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { WorkLock } from '../../common/database/index.js';
import { Config } from '../../common/config/index.js';
import { PollingWorker } from '../../common/jobs/index.js';
import { Clock } from '../../common/system/index.js';
import { ImportRunnerService } from './import-runner.service.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

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
      const state = await this.runner.postpone(lock);
      if (state !== null) this.log.error({ msg: 'import interrupted', importId: lock.id, state, err: error });
    }
  }
}
