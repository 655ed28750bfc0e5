import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newId } from '../common/fields/index.js';
import { IS_UNLOCKED, RETURNED_LOCK, Transactions, WorkLocks, type WorkLock } from '../common/database/index.js';
import type { ToldOfFile } from '../reconcile/index.js';
import { ListingReadingEntity, READING_KINDS, type ReadingKind } from './listing-reading.entity.js';

/** SQL: the target is complete. Until then its reading stays due, so that it is read as soon as it is. */
const IS_COMPLETE = `exists (
  select from target where id = target_id and enabled and store_item_id is not null and credential_id is not null)`;

/** Longer than all calls of one reading take. */
const LOCK_SECONDS = 120;

/** When items are read at their stores. */
@Injectable()
export class ReadingsRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'listing_reading', due: 'due_at', seconds: LOCK_SECONDS });
  }

  /** Takes the reading that has been due for longest; null when there is none. */
  takeDue(now: Date): Promise<WorkLock | null> {
    return this.locks.takeDue(now, { where: IS_COMPLETE });
  }

  /** Returns when the next reading is due that no worker holds; null when there is none. */
  async nextDue(): Promise<Date | null> {
    const [row] = await this.tx.query<{ readonly due: Date | null }>(
      `select min(due_at) as due from listing_reading where ${IS_UNLOCKED} and ${IS_COMPLETE}`,
    );
    return row?.due ?? null;
  }

  /** Adds the readings of new targets. */
  async insert(targetIds: readonly string[], dueAt: Date): Promise<void> {
    await this.readings.insert(
      targetIds.flatMap((targetId) => READING_KINDS.map((kind) => ({ id: newId(), targetId, kind, dueAt }))),
    );
  }

  find(id: string): Promise<ListingReadingEntity | null> {
    return this.readings.findOneBy({ id });
  }

  findAll(targetIds: readonly string[], kind: ReadingKind): Promise<readonly ListingReadingEntity[]> {
    return this.readings.findBy({ targetId: In([...targetIds]), kind });
  }

  /** Records how a reading went, and returns its work lock. @returns false when the worker has lost it: nothing was changed */
  async end(
    { id, leaseToken }: WorkLock,
    result: Pick<ListingReadingEntity, 'dueAt' | 'failure'> & { readonly readAt?: Date },
  ): Promise<boolean> {
    const { affected } = await this.readings.update({ id, leaseToken }, { ...result, ...RETURNED_LOCK });
    return affected === 1;
  }

  /** Notes what the timeline was told. Part of the transaction that ended the reading. */
  async noteTold(id: string, told: ToldOfFile): Promise<void> {
    await this.readings.update({ id }, { told });
  }

  /** Lets a reading begin anew, as if there had been none. A worker that is at it loses its lock, and writes nothing. */
  async restart(targetId: string, kind: ReadingKind, now: Date): Promise<void> {
    await this.readings.update(
      { targetId, kind },
      { dueAt: now, readAt: null, failure: null, told: null, ...RETURNED_LOCK },
    );
  }

  /** Lets a reading be made once more, soon. A worker that is at it loses its lock, and writes nothing. */
  async repeat(targetId: string, kind: ReadingKind, now: Date): Promise<void> {
    await this.readings.update({ targetId, kind }, { dueAt: now, ...RETURNED_LOCK });
  }

  /** Makes a reading due at a time, unless it is due earlier. Raw SQL: the earlier of two times. */
  async makeDue(targetId: string, kind: ReadingKind, at: Date): Promise<void> {
    await this.tx.query('update listing_reading set due_at = least(due_at, $3) where target_id = $1 and kind = $2', [
      targetId,
      kind,
      at,
    ]);
  }

  private get readings() {
    return this.tx.repository(ListingReadingEntity);
  }
}
