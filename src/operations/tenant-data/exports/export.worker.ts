import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { LogContext } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Transactions } from '../../../common/database/index.js';
import { nextAttemptAt, PollingWorker, type RetryPlan } from '../../../common/jobs/index.js';
import { BlobStore, TemporaryFiles } from '../../../common/storage/index.js';
import { Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../common/system/index.js';
import { keepLock } from '../keep-lock.js';
import { ExportArchiveService } from './export-archive.service.js';
import { ExportsRepository, type DueExport } from './exports.repository.js';
import { exportKey, ExportsService } from './exports.service.js';

const RETRIES: RetryPlan = { delaysMs: [10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS], withinMs: 6 * HOUR_MS };

/** Writes the archives of requested exports, one at a time. */
@Injectable()
export class ExportWorker extends PollingWorker<DueExport> {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    config: Config,
    tx: Transactions,
    private readonly exports: ExportsRepository,
    private readonly service: ExportsService,
    private readonly archive: ExportArchiveService,
    private readonly temporary: TemporaryFiles,
    private readonly blobs: BlobStore,
  ) {
    super(registry, clock, config, { name: 'tenant-export', concurrency: 1, locks: exports.locks });
    service.requested.add(async () => tx.afterCommit(() => this.wake()));
  }

  protected override prepare(): Promise<void> {
    return this.service.deleteExpired();
  }

  protected take(): Promise<DueExport | null> {
    return this.exports.take(this.clock.now());
  }

  protected override logContextOf({ tenantId }: DueExport): LogContext {
    return { tenantId };
  }

  protected async process(dueExport: DueExport): Promise<void> {
    const { id: exportId, tenantId, attempts, createdAt } = dueExport;
    const path = await this.temporary.path();
    try {
      const made = await this.archive.write(path, tenantId, keepLock(this.exports.locks, dueExport));
      await this.blobs.put(path, exportKey(exportId));
      await this.service.recordReady(dueExport, made);
      this.log.log({ msg: 'export made', exportId, ...made });
    } catch (error) {
      const now = this.clock.now();
      const dueAt = nextAttemptAt(RETRIES, { failures: attempts, since: createdAt }, now, Math.random());
      const state = dueAt === null ? 'failed' : 'pending';
      await this.exports.recordResult(dueExport, { state, dueAt, updatedAt: now });
      this.log.error({ msg: 'export not made', exportId, state, err: error });
    } finally {
      await this.temporary.discard(path);
    }
  }
}
