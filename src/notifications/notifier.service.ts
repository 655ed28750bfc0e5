import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ArrayContains, IsNull, Not } from 'typeorm';
import { Clock } from '../common/system/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../common/fields/index.js';
import { EventsService, ExtensionEntity, type AppendedEvent } from '../registry/index.js';
import { TargetPlaces } from '../targets/index.js';
import { DeliveriesService, mustListen } from './deliveries.service.js';
import { EndpointEntity } from './endpoint.entity.js';
import { isNews, kindOf, type NotificationKind } from './kinds.js';
import { NotificationEntity } from './notification.entity.js';
import type { Notification, NotificationDelivery } from './notifications.dto.js';
import { EndpointNotFound } from './notifications.problems.js';

/** Something worth telling. */
export type News = Pick<NotificationEntity, 'tenantId' | 'message'> & { readonly kind: NotificationKind } & Partial<
    Pick<
      NotificationEntity,
      'extensionId' | 'extensionName' | 'targetId' | 'version' | 'credentialId' | 'place' | 'onceKey'
    >
  >;

/** Writes down what a tenant is told, and sends it on its way to whoever listens: always inside the transaction of what has happened. */
@Injectable()
export class Notifier implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly events: EventsService,
    private readonly places: TargetPlaces,
    private readonly deliveries: DeliveriesService,
  ) {}

  onModuleInit(): void {
    this.events.appended.add((event) => this.hear(event));
  }

  /** Tells a tenant, unless it has been told under the same `onceKey`. */
  async tell(news: News): Promise<void> {
    await this.tx.run(async () => {
      const notification = await this.note(news);
      if (notification === null) return;
      // Locked so that none is deleted before its delivery refers to it.
      const listening = { tenantId: news.tenantId, enabled: true, events: ArrayContains([news.kind]) };
      const endpoints = await this.tx.repository(EndpointEntity).find({
        where: [
          { ...listening, kind: 'webhook' },
          { ...listening, confirmedAt: Not(IsNull()) },
        ],
        order: { id: 'ASC' },
        lock: { mode: 'for_key_share' },
      });
      await this.deliveries.addAll(notification, endpoints);
    });
  }

  /** Sends a test to one endpoint. @throws EndpointNotFound, EndpointDisabled, EndpointUnconfirmed, RateLimited */
  async test(tenantId: string, endpointId: string): Promise<NotificationDelivery> {
    const where = { id: endpointId, tenantId };
    if (!(await this.tx.repository(EndpointEntity).existsBy(where))) throw new EndpointNotFound();
    await this.deliveries.mayBeAsked(tenantId);
    return this.tx.run(async () => {
      const endpoint = await this.tx.repository(EndpointEntity).findOne({ where, lock: { mode: 'for_key_share' } });
      if (endpoint === null) throw new EndpointNotFound();
      mustListen(endpoint);
      const message = 'This is a test: notifications from Pierhead arrive here.';
      const row = this.rowOf({ tenantId, kind: 'test', message });
      await this.tx.repository(NotificationEntity).insert(row);
      return this.deliveries.add(row, endpoint);
    });
  }

  async list(tenantId: string, query: PageQuery): Promise<Page<Notification>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(NotificationEntity)
      .createQueryBuilder('notification')
      .where({ tenantId })
      .andWhere('notification.id < :after', { after })
      .orderBy('notification.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, toNotification);
  }

  private async hear(event: AppendedEvent): Promise<void> {
    const kind = kindOf(event);
    if (kind === null) return;
    const { extensionId, targetId, version, message } = event;
    if (targetId !== null && !isNews({ kind, version }, await this.lastTold(targetId))) return;
    const extension = await this.tx.repository(ExtensionEntity).findOneByOrFail({ id: extensionId });
    const { tenantId, name: extensionName } = extension;
    const place = targetId === null ? null : await this.places.of(targetId);
    await this.tell({ tenantId, kind, message, extensionId, extensionName, targetId, version, place });
  }

  private lastTold(targetId: string): Promise<NotificationEntity | null> {
    return this.tx.repository(NotificationEntity).findOne({ where: { targetId }, order: { id: 'DESC' } });
  }

  /** @returns null when it was told before */
  private async note(news: News): Promise<Omit<NotificationEntity, 'tenant'> | null> {
    const row = this.rowOf(news);
    const { raw } = await this.tx
      .repository(NotificationEntity)
      .createQueryBuilder()
      .insert()
      .values(row)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as readonly unknown[]).length === 0 ? null : row;
  }

  private rowOf(news: Omit<News, 'kind'> & Pick<NotificationEntity, 'kind'>): Omit<NotificationEntity, 'tenant'> {
    return {
      ...newRow(this.clock.now()),
      extensionId: null,
      extensionName: null,
      targetId: null,
      version: null,
      credentialId: null,
      place: null,
      onceKey: null,
      ...news,
    };
  }
}

const toNotification = (row: NotificationEntity): Notification => ({
  id: row.id,
  kind: row.kind,
  message: row.message,
  extensionId: row.extensionId,
  extensionName: row.extensionName,
  targetId: row.targetId,
  version: row.version,
  credentialId: row.credentialId,
  at: row.createdAt,
});
