import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Transactions, Hook } from '../common/database/index.js';
import { newId, readPage, toPage, type Page, type PageQuery } from '../common/fields/index.js';
import { EventEntity } from './event.entity.js';
import { ExtensionsService } from './extensions.service.js';
import type { TimelineEvent } from './registry.dto.js';

/** What an event says; when and where it stands in the timeline is added. */
export type NewEvent = Pick<EventEntity, 'extensionId' | 'kind' | 'message'> &
  Partial<Pick<EventEntity, 'targetId' | 'version' | 'data'>>;

/** An event as it stands in the timeline. */
export type AppendedEvent = Omit<EventEntity, 'extension'>;

/** Each extension's timeline: every observation that changed something, and every step. */
@Injectable()
export class EventsService {
  /** Run inside the transaction that adds to the timeline, once for each event. */
  readonly appended = new Hook<AppendedEvent>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
  ) {}

  /** Adds to the timeline, inside the transaction of what is being told. Secrets must be gone from `data` already. */
  async append(...events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event): AppendedEvent => ({
      id: newId(),
      at: this.clock.now(),
      targetId: null,
      version: null,
      data: null,
      ...event,
    }));
    await this.tx.run(async () => {
      await this.tx
        .repository(EventEntity)
        .createQueryBuilder()
        .insert()
        .values(rows as never)
        .execute();
      for (const row of rows) await this.appended.run(row);
    });
  }

  /** Newest first. @throws ExtensionNotFound */
  async list(tenantId: string, extensionId: string, query: PageQuery): Promise<Page<TimelineEvent>> {
    await this.extensions.mustExist(tenantId, extensionId);
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(EventEntity)
      .createQueryBuilder('event')
      .where({ extensionId })
      .andWhere('event.id < :after', { after })
      .orderBy('event.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, toTimelineEvent);
  }
}

const toTimelineEvent = ({
  id,
  at,
  extensionId,
  targetId,
  version,
  kind,
  message,
  data,
}: EventEntity): TimelineEvent => ({
  id,
  at,
  extensionId,
  targetId,
  version,
  kind,
  message,
  data,
});
