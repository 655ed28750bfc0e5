import { Injectable } from '@nestjs/common';
import { actorName } from '../../common/access/index.js';
import { Clock } from '../../common/system/index.js';
import { Transactions, Hook } from '../../common/database/index.js';
import { newId, pageFrom, type Page } from '../../common/fields/index.js';
import type { EventEntity } from './event.entity.js';
import { EventsRepository, type WayEvent } from './events.repository.js';
import { ExtensionsService } from '../extensions.service.js';
import type { ListEvents, TimelineEvent } from '../registry.dto.js';

/** A new event; its id and time are added, and who acts now unless it says otherwise. */
export type NewEvent = Pick<EventEntity, 'extensionId' | 'kind' | 'message'> &
  Partial<Pick<EventEntity, 'targetId' | 'version' | 'data' | 'actor'>>;

/** An event in the timeline. */
export type AppendedEvent = Omit<EventEntity, 'extension'>;

/** Events of a target that are read for its last reviews. */
const MAX_LAST = 100;
/** The same for the versions of a page, which are at most a hundred. */
const MAX_OF_VERSIONS = 500;

/** The timeline of each extension: every observed change and every step. */
@Injectable()
export class EventsService {
  /** Runs inside the transaction that adds events, once for each event. */
  readonly appended = new Hook<AppendedEvent>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsRepository,
  ) {}

  /** Adds events, inside the transaction of the change that they report. `data` must already be redacted. */
  async append(...events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event): AppendedEvent => ({
      id: newId(),
      at: this.clock.now(),
      targetId: null,
      version: null,
      data: null,
      actor: actorName(),
      ...event,
    }));
    await this.tx.run(async () => {
      await this.events.insert(rows);
      for (const row of rows) await this.appended.run(row);
    });
  }

  /** Lists an extension's events, newest first. */
  async list(tenantId: string, extensionId: string, query: ListEvents): Promise<Page<TimelineEvent>> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    return pageFrom(query, (start) => this.events.list(extensionId, query, start), toTimelineEvent);
  }

  /** The last events that mark how far versions got, or some versions, by target; newest first. */
  async onTheWay(
    targetIds: readonly string[],
    versions: readonly string[] | null = null,
  ): Promise<ReadonlyMap<string, readonly WayEvent[]>> {
    if (targetIds.length === 0) return new Map();
    const limit = versions === null ? MAX_LAST : MAX_OF_VERSIONS;
    const byTarget = new Map(targetIds.map((id): [string, WayEvent[]] => [id, []]));
    for (const event of await this.events.listOnTheWay(targetIds, versions, limit))
      byTarget.get(event.targetId)?.push(event);
    return byTarget;
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
  actor,
}: EventEntity): TimelineEvent => ({
  id,
  at,
  extensionId,
  targetId,
  version,
  kind,
  message,
  data,
  by: actor,
});
