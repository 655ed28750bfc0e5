import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, DAY_MS, HOUR_MS } from '../common/system/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../common/fields/index.js';
import { AuditLog } from '../platform/audit/index.js';
import { EventsService, type AppendedEvent } from '../registry/index.js';
import { StoreLinksService } from '../targets/index.js';
import { asText } from '../common/net/index.js';
import { ApprovalMailsService } from './approval-mails.service.js';
import { assertReceiving, DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { exampleOf } from './example.js';
import { isWorthNotifying, kindOf, memberOf, type DeliveredKind, type NotificationKind } from './kinds.js';
import type { NotificationEntity, NotificationRow } from './notification.entity.js';
import type { NotificationDelivery } from './deliveries/deliveries.dto.js';
import type { Notification } from './notifications.dto.js';
import { EndpointNotFound } from './endpoints.problems.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Notifications, and with them their deliveries, are deleted after 90 days. */
const KEPT_MS = 90 * DAY_MS;

/** Subject of a notification. */
export type NewNotification = Pick<NotificationEntity, 'tenantId' | 'message'> & {
  readonly kind: NotificationKind;
} & Partial<
    Pick<
      NotificationEntity,
      'extensionId' | 'extensionName' | 'targetId' | 'version' | 'credentialId' | 'place' | 'approvalId' | 'onceKey'
    >
  >;

/** Records notifications and adds their deliveries, inside the transaction of the change that they are about. */
@Injectable()
export class NotificationsService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly notifications: NotificationsRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly events: EventsService,
    private readonly storeLinks: StoreLinksService,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditLog,
    private readonly approvalMails: ApprovalMailsService,
  ) {}

  onModuleInit(): void {
    this.events.appended.add((event) => this.onEvent(event));
  }

  /** Notifies a tenant, unless there is a notification with the same `onceKey`. */
  async notify(notification: NewNotification): Promise<void> {
    await this.tx.run(async () => {
      const row = this.rowOf(notification);
      if (!(await this.notifications.insertOnce(row))) return;
      await this.deliveries.addAll(row, await this.endpoints.subscribersOf(row));
    });
  }

  /** Sends a test to one endpoint, which looks like a notification of a kind. */
  async sendTest(tenantId: string, endpointId: string, kind: DeliveredKind): Promise<NotificationDelivery> {
    if (!(await this.endpoints.exists(tenantId, endpointId))) throw new EndpointNotFound();
    await this.deliveries.countRequest(tenantId);
    return this.tx.run(async () => {
      const endpoint = await this.endpoints.findForKeyShare(endpointId);
      if (endpoint === null) throw new EndpointNotFound();
      assertReceiving(endpoint);
      const example = exampleOf(kind, this.clock.now());
      const row = this.rowOf({ tenantId, kind, ...example, isExample: kind !== 'test' });
      await this.notifications.insert(row);
      await this.audit.record(tenantId, 'notification_endpoint.tested', endpoint);
      return this.deliveries.add(row, endpoint);
    });
  }

  /** Lists notifications, newest first. */
  async list(tenantId: string, query: PageQuery): Promise<Page<Notification>> {
    return pageFrom(query, (start) => this.notifications.list(tenantId, start), toNotification);
  }

  /** Deletes old notifications. */
  @Interval('notification-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    await this.notifications.deleteBefore(new Date(this.clock.now().getTime() - KEPT_MS));
  }

  private async onEvent(event: AppendedEvent): Promise<void> {
    const kind = kindOf(event);
    if (kind === null) return;
    const { extensionId, targetId, version, message } = event;
    if (targetId !== null && !isWorthNotifying({ kind, version }, await this.notifications.lastOfTarget(targetId)))
      return;
    const { tenantId, name: extensionName } = await this.notifications.getExtension(extensionId);
    const place = targetId === null ? null : await this.storeLinks.forTarget(targetId);
    const approvalId = asText(memberOf(event.data, 'approvalId')) ?? null;
    const notification = { tenantId, kind, message, extensionId, extensionName, targetId, version, place, approvalId };
    await this.notify(notification);
    await this.approvalMails.send(notification, event.data);
  }

  private rowOf(
    notification: Pick<NotificationRow, 'tenantId' | 'kind' | 'message'> & Partial<NotificationRow>,
  ): NotificationRow {
    return {
      ...newRow(this.clock.now()),
      extensionId: null,
      extensionName: null,
      targetId: null,
      version: null,
      credentialId: null,
      place: null,
      licenseId: null,
      license: null,
      trialId: null,
      trial: null,
      approvalId: null,
      isExample: false,
      onceKey: null,
      ...notification,
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
  licenseId: row.licenseId,
  trialId: row.trialId,
  approvalId: row.approvalId,
  example: row.isExample,
  at: row.createdAt,
});
