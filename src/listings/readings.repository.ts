import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { RETURNED_LOCK, Transactions, WorkLocks, type WorkLock } from '../common/database/index.js';
import { ListingReadingEntity } from './listing-reading.entity.js';

/** Longer than all calls of one reading take. */
const LOCK_SECONDS = 120;

/** When items are read at their stores. */
@Injectable()
export class ReadingsRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, {
      table: 'listing_reading',
      key: 'target_id',
      due: 'due_at',
      seconds: LOCK_SECONDS,
    });
  }

  async insert(targetIds: readonly string[], dueAt: Date): Promise<void> {
    await this.readings.insert(targetIds.map((targetId) => ({ targetId, dueAt })));
  }

  findAll(targetIds: readonly string[]): Promise<readonly ListingReadingEntity[]> {
    return this.readings.findBy({ targetId: In([...targetIds]) });
  }

  /** Records how a reading went, and returns its work lock. @returns false when the worker has lost it: nothing was changed */
  async end(
    { id, leaseToken }: WorkLock,
    result: Pick<ListingReadingEntity, 'dueAt' | 'failure'> & { readonly readAt?: Date },
  ): Promise<boolean> {
    const { affected } = await this.readings.update({ targetId: id, leaseToken }, { ...result, ...RETURNED_LOCK });
    return affected === 1;
  }

  private get readings() {
    return this.tx.repository(ListingReadingEntity);
  }
}
