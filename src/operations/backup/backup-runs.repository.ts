import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type Repository } from 'typeorm';
import { RETURNED_LOCK, Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import { BackupRunEntity } from './backup-run.entity.js';

/** The scheduled backup that this process makes. */
export type DueBackup = BackupRunEntity & WorkLock;

/** Number of ended backups that are kept as rows, in addition to the last that succeeded. */
const KEPT = 50;

/** The backups that were made, and the one that is due. */
@Injectable()
export class BackupRunsRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'backup_run', due: 'due_at', seconds: 60 });
  }

  /** Lists all rows, newest first. */
  list(): Promise<readonly BackupRunEntity[]> {
    return this.runs.find({ order: { id: 'DESC' } });
  }

  async insert(row: BackupRunEntity): Promise<void> {
    await this.runs.insert(row);
  }

  /** Inserts the next scheduled backup, unless there is one. */
  async insertDue(row: BackupRunEntity): Promise<void> {
    await this.runs.createQueryBuilder().insert().values(row).orIgnore().execute();
  }

  /** Makes the next backup due no later than `dueAt`, unless a process is making it. */
  async bringForward(dueAt: Date): Promise<void> {
    await this.runs.update({ state: 'due', startedAt: IsNull(), dueAt: MoreThan(dueAt) }, { dueAt });
  }

  /** Takes the backup that is due. */
  async take(now: Date): Promise<DueBackup | null> {
    const lock = await this.locks.takeDue(now);
    return lock === null ? null : ((await this.runs.findOneBy({ ...lock })) as DueBackup | null);
  }

  /** Records the start of the backup. @returns false when the work lock was lost */
  async begin({ id, leaseToken }: WorkLock, startedAt: Date): Promise<boolean> {
    return (await this.runs.update({ id, leaseToken }, { startedAt, updatedAt: startedAt })).affected === 1;
  }

  /** Records how the backup ended. @returns false when the work lock was lost */
  async finish(
    { id, leaseToken }: WorkLock,
    result: Pick<BackupRunEntity, 'state' | 'startedAt' | 'finishedAt' | 'name' | 'size' | 'error' | 'updatedAt'>,
  ): Promise<boolean> {
    const { affected } = await this.runs.update({ id, leaseToken }, { ...result, dueAt: null, ...RETURNED_LOCK });
    return affected === 1;
  }

  /** Deletes all rows but the newest and the last that succeeded. Raw SQL, since TypeORM's delete takes no order. */
  async forgetOld(): Promise<void> {
    await this.tx.query(
      `delete from backup_run where state <> 'due'
          and id not in (select id from backup_run where state <> 'due' order by id desc limit ${KEPT})
          and id not in (select id from backup_run where state = 'succeeded' order by finished_at desc limit 1)`,
    );
  }

  /** Locks a run until the transaction ends, so that one process at a time sends mails about an outage. */
  async lock(id: string): Promise<void> {
    await this.runs.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  private get runs(): Repository<BackupRunEntity> {
    return this.tx.repository(BackupRunEntity);
  }
}
