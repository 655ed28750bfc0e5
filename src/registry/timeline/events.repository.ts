import { Injectable } from '@nestjs/common';
import { LessThan, type QueryDeepPartialEntity } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { ListEvents } from '../registry.dto.js';
import { EventEntity } from './event.entity.js';

/** Filter of events; an absent field does not filter. */
type EventFilter = Pick<ListEvents, 'kind' | 'targetId' | 'version'>;

/** Events of extensions. */
@Injectable()
export class EventsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(events: readonly Omit<EventEntity, 'extension'>[]): Promise<void> {
    await this.tx.repository(EventEntity).insert([...events] as QueryDeepPartialEntity<EventEntity>[]);
  }

  /** Returns one row more than the page holds, newest first. */
  list(extensionId: string, wanted: EventFilter, { limit, after }: PageStart): Promise<readonly EventEntity[]> {
    const { kind, targetId, version } = wanted;
    const where = {
      extensionId,
      ...(kind === undefined ? {} : { kind }),
      ...(targetId === undefined ? {} : { targetId }),
      ...(version === undefined ? {} : { version }),
      id: LessThan(after),
    };
    return this.tx.repository(EventEntity).find({ where, order: { id: 'DESC' }, take: limit + 1 });
  }
}
