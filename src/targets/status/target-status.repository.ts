import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import { MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { TargetStatusEntity, type LockedTarget, type TargetStatus } from './target-status.entity.js';
import { phasesThat } from './phase.js';
import { joined, toTargetWithStatus } from '../targets.repository.js';

export const RENEW_EVERY_MS = 5_000;
/** Interval of the checks while somebody waits for them. */
const WATCHED_EVERY_MS = MINUTE_MS;
/** The phases in which a store is asked rarely, since it takes its time. */
const AT_A_STORE = phasesThat(({ pace }) => pace === 'in_review' || pace === 'releasing');

/** The status of targets, as the engine reads and writes it under the work lock of one worker. */
@Injectable()
export class TargetStatusRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'target_status', key: 'target_id', due: 'next_check_at', seconds: 20 });
  }

  /** Takes the target that has been due for longest; null when there is none. */
  async takeDue(now: Date): Promise<LockedTarget | null> {
    const lock = await this.locks.takeDue(now);
    return lock && this.find(lock);
  }

  /** Takes one target, due or not; null when another worker has it or its store cannot be asked. */
  async takeOne(id: string): Promise<LockedTarget | null> {
    const lock = await this.locks.takeOne(id);
    return lock && this.find(lock);
  }

  /** The target as it is now; null when the work lock was lost or the target is gone. */
  async find(lock: WorkLock): Promise<LockedTarget | null> {
    return toLocked(lock, await this.under(lock).getOne());
  }

  /** The target as it is now, locked with its settings until the transaction ends; null when the work lock was lost or the target is gone. */
  async findForUpdate(lock: WorkLock): Promise<LockedTarget | null> {
    return toLocked(lock, await this.under(lock).setLock('pessimistic_write').getOne());
  }

  /** Writes the status of a target that is locked. */
  async update(id: string, status: Partial<TargetStatus>): Promise<void> {
    await this.tx.repository(TargetStatusEntity).update({ targetId: id }, status);
  }

  /** Makes a target due, unless its store asked not to be called yet. Raw SQL: the later of two times. */
  async makeDue(id: string, now: Date): Promise<void> {
    await this.tx.query(
      'update target_status set next_check_at = greatest($2, not_before) where target_id = $1 and next_check_at > $2',
      [id, now],
    );
  }

  /**
   * Lets the targets of an extension that wait for a store be checked a minute after their last check. That check does not count among those
   * that make later ones rarer. Raw SQL: the later of three times.
   */
  async checkSoon(extensionId: string, now: Date): Promise<void> {
    await this.tx.query(
      `update target_status set next_check_at = soon, checks_in_phase = greatest(checks_in_phase - 1, 0)
         from (select target_id as id, greatest($2, checked_at + make_interval(secs => $3), not_before) as soon
                 from target_status join target on target.id = target_id
                where extension_id = $1 and phase = any($4)) waiting
        where target_id = waiting.id and next_check_at > soon`,
      [extensionId, now, WATCHED_EVERY_MS / SECOND_MS, AT_A_STORE],
    );
  }

  private under({ id, leaseToken }: WorkLock): SelectQueryBuilder<TargetStatusEntity> {
    return joined(this.tx).where('status.targetId = :id and status.leaseToken = :leaseToken', { id, leaseToken });
  }
}

const toLocked = ({ leaseToken }: WorkLock, row: TargetStatusEntity | null): LockedTarget | null =>
  row && { ...toTargetWithStatus(row), leaseToken };
