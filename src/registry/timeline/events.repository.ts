import { Injectable } from '@nestjs/common';
import { LessThan, Like, Raw, type QueryDeepPartialEntity } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { ListEvents } from '../registry.dto.js';
import { EventEntity, OF_PUBLISHING, ON_THE_WAY } from './event.entity.js';

/** Filter of events; an absent field does not filter. */
type EventFilter = Pick<ListEvents, 'kind' | 'about' | 'by' | 'targetId' | 'version'>;

/** An event that marks how far a version got at a target. */
export type WayEvent = Pick<EventEntity, 'version' | 'kind' | 'at'> & { readonly targetId: string };

/** Events of extensions. */
@Injectable()
export class EventsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(events: readonly Omit<EventEntity, 'extension'>[]): Promise<void> {
    await this.tx.repository(EventEntity).insert([...events] as QueryDeepPartialEntity<EventEntity>[]);
  }

  /**
   * The last events of each target that mark how far its versions got, newest first. Raw SQL: a limit for each target.
   * @param versions only events of these; null for any
   */
  listOnTheWay(
    targetIds: readonly string[],
    versions: readonly string[] | null,
    limit: number,
  ): Promise<readonly WayEvent[]> {
    return this.tx.query<WayEvent>(
      `select event.* from unnest($1::uuid[]) as wanted(id),
              lateral (select target_id as "targetId", version, kind, at from event
                        where target_id = wanted.id and ($2::text[] is null or version = any($2)) and ${ON_THE_WAY}
                        order by id desc limit $3) event`,
      [targetIds, versions, limit],
    );
  }

  /** Returns one row more than the page holds, newest first. */
  list(extensionId: string, wanted: EventFilter, { limit, after }: PageStart): Promise<readonly EventEntity[]> {
    const { kind, about, by, targetId, version } = wanted;
    const where = {
      extensionId,
      ...(about === undefined ? {} : { kind: about === 'licenses' ? Like('license%') : Raw(() => OF_PUBLISHING) }),
      ...(kind === undefined ? {} : { kind }),
      ...(by === undefined ? {} : { actor: by }),
      ...(targetId === undefined ? {} : { targetId }),
      ...(version === undefined ? {} : { version }),
      id: LessThan(after),
    };
    return this.tx.repository(EventEntity).find({ where, order: { id: 'DESC' }, take: limit + 1 });
  }
}
