import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { redactText, truncate } from '../../common/net/index.js';
import { Clock } from '../../common/system/index.js';
import type { BackupRunEntity } from './backup-run.entity.js';
import { BackupRunsRepository, type DueBackup } from './backup-runs.repository.js';
import type { StoredBackup } from './backup-store.js';
import { nextBackupAt, statusOf, type BackupStatus } from './backup-status.js';
import { BackupsService, type MadeBackup } from './backups.service.js';

const MAX_ERROR = 300;
/** Recorded as the error of a backup whose process ended before it did. */
const INTERRUPTED = 'The process that was making it ended, or lost its database connection.';
const LOST_LOCK = 'Another process is making this backup.';

type Result = Parameters<BackupRunsRepository['finish']>[1];

/** Makes backups, by hand or on schedule, and records how they ended. */
@Injectable()
export class BackupRunsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly runs: BackupRunsRepository,
    private readonly backups: BackupsService,
  ) {}

  /** Returns the status of the backups. */
  async status(): Promise<BackupStatus> {
    return statusOf(await this.runs.list(), this.everyHours, this.clock.now());
  }

  /** Locks a run until the transaction ends, so that one process at a time sends mails about an outage. */
  lock(id: string): Promise<void> {
    return this.runs.lock(id);
  }

  /** Makes a backup now, independent of the schedule. */
  async make(): Promise<MadeBackup> {
    const row = newRun(this.clock.now());
    try {
      const made = await this.backups.make();
      await this.tx.run(async () => {
        await this.runs.insert({ ...row, ...this.succeeded(row.createdAt, made) });
        await this.runs.forgetOld();
      });
      return made;
    } catch (error) {
      await this.runs.insert({ ...row, ...this.failed(row.createdAt, reasonOf(error)) }).catch(() => undefined);
      throw error;
    }
  }

  /** Lists the stored backups, newest first. */
  list(): Promise<readonly StoredBackup[]> {
    return this.backups.list();
  }

  /** Makes the next scheduled backup due at the time that BACKUP_EVERY_HOURS asks for. */
  async schedule(): Promise<void> {
    if (this.everyHours === null) return;
    const rows = await this.runs.list();
    const now = this.clock.now();
    const due = rows.find(({ state }) => state === 'due');
    const { last, lastSucceeded } = statusOf(rows, this.everyHours, now);
    if (due === undefined) await this.runs.insertDue(dueRun(now, nextBackupAt(last, this.everyHours, now)));
    // BACKUP_EVERY_HOURS may have become shorter since the row was written.
    else if (last?.outcome === 'succeeded') {
      const dueAt = nextBackupAt(lastSucceeded, this.everyHours, now);
      if (due.dueAt !== null && due.dueAt > dueAt) await this.runs.bringForward(dueAt);
    }
  }

  /** Makes the scheduled backup, and records how it ended. @throws the error that made it fail */
  async carryOut(backup: DueBackup): Promise<MadeBackup> {
    const startedAt = this.clock.now();
    try {
      // The process that began it has ended. That counts as a failure, or a backup that crashes the process would be repeated at once forever.
      if (backup.startedAt !== null) throw new Error(INTERRUPTED);
      if (!(await this.runs.begin(backup, startedAt))) throw new Error(LOST_LOCK);
      const made = await this.backups.make();
      await this.finish(backup, this.succeeded(startedAt, made));
      return made;
    } catch (error) {
      // A failure to record the outcome must not hide why the backup failed.
      await this.finish(backup, this.failed(backup.startedAt ?? startedAt, reasonOf(error))).catch(() => undefined);
      throw error;
    }
  }

  private async finish(backup: DueBackup, result: Result): Promise<void> {
    await this.tx.run(async () => {
      // The process that took over the work lock records the outcome.
      if (!(await this.runs.finish(backup, result))) return;
      await this.schedule();
      await this.runs.forgetOld();
    });
  }

  private succeeded(startedAt: Date, { name, size }: MadeBackup): Result {
    return { ...this.ended(startedAt), state: 'succeeded', name, size: String(size), error: null };
  }

  private failed(startedAt: Date, error: string): Result {
    return { ...this.ended(startedAt), state: 'failed', name: null, size: null, error };
  }

  private ended(startedAt: Date) {
    const finishedAt = this.clock.now();
    return { startedAt, finishedAt, updatedAt: finishedAt };
  }

  private get everyHours(): number | null {
    return this.config.backupEveryHours ?? null;
  }
}

const newRun = (now: Date): BackupRunEntity => ({
  ...newRow(now),
  state: 'due',
  dueAt: null,
  startedAt: null,
  finishedAt: null,
  name: null,
  size: null,
  error: null,
  leaseToken: null,
  leaseUntil: null,
});

const dueRun = (now: Date, dueAt: Date): BackupRunEntity => ({ ...newRun(now), dueAt });

const reasonOf = (error: unknown): string =>
  truncate(redactText(error instanceof Error ? error.message : String(error)), MAX_ERROR);
