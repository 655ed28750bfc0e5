import { Injectable } from '@nestjs/common';
import { LessThan, type QueryDeepPartialEntity } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { EventEntity } from './event.entity.js';

/** Events of extensions. */
@Injectable()
export class EventsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(events: readonly Omit<EventEntity, 'extension'>[]): Promise<void> {
    await this.tx.repository(EventEntity).insert([...events] as QueryDeepPartialEntity<EventEntity>[]);
  }

  /** Returns one row more than the page holds, newest first. */
  list(extensionId: string, { limit, after }: PageStart): Promise<readonly EventEntity[]> {
    return this.tx
      .repository(EventEntity)
      .find({ where: { extensionId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }
}
