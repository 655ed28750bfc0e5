import { Injectable, type OnModuleInit } from '@nestjs/common';
import { orThrow } from '../../common/problems/index.js';
import type { Caller } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { Hook, newRow, Transactions } from '../../common/database/index.js';
import { newId, pageFrom, type Page } from '../../common/fields/index.js';
import { RateLimits } from '../../common/access/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { OutboxService, type ComposedMail, type MailOutcome, type NewMail } from '../../platform/mail/index.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesRepository, type RecentDeliveries } from './deliveries.repository.js';
import type { DeliveryRow, DeliveryStatus } from './delivery.entity.js';
import type { EndpointEntity } from '../endpoint.entity.js';
import { EndpointsRepository } from '../endpoints.repository.js';
import type { NotificationRow } from '../notification.entity.js';
import type { NotificationDelivery, NotificationDeliveryQuery } from './deliveries.dto.js';
import { EndpointDisabled, EndpointUnconfirmed } from '../endpoints.problems.js';
import { DeliveryNotFound } from './deliveries.problems.js';
import { NotificationsRepository } from '../notifications.repository.js';
import { UNSUBSCRIBE_PATH, unsubscribeToken, type Subscription } from './unsubscribe-token.js';
import { mailOf, type MailContent } from './wording.js';
import { assertMayDirect } from '../license-readers.js';

const WEEK_MS = 7 * DAY_MS;
const MAIL_PURPOSE = 'notification';
/** Limits tests and redeliveries that a tenant requests, so that a loop over the API cannot flood an address. */
const ON_REQUEST = { name: 'notification-by-hand', perMinute: 20 } as const;

type Receiver = Pick<EndpointEntity, 'id' | 'kind' | 'address'>;

/** A delivery that was added, by its own id. */
interface NewDelivery extends Receiver {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly notification: MailContent;
}

const MAIL_STATUS = {
  waiting: 'waiting',
  sent: 'delivered',
  undelivered: 'given_up',
} as const satisfies Record<MailOutcome['state'], DeliveryStatus>;

/** Notifications on their way to endpoints. A webhook waits here for the delivery worker, a mail in the outbox. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  /** Runs inside the transaction that adds webhooks to deliver. */
  readonly added = new Hook<void>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly notifications: NotificationsRepository,
    private readonly limits: RateLimits,
    private readonly outbox: OutboxService,
    private readonly audit: AuditLog,
    private readonly config: Config,
    private readonly attempts: DeliveryAttemptsRepository,
  ) {}

  onModuleInit(): void {
    this.outbox.attempted.add(async (outcomes) => {
      for (const outcome of outcomes) await this.recordMail(outcome);
    });
  }

  /** Adds a delivery to one endpoint, inside the current transaction. */
  async add(notification: NotificationRow, endpoint: Receiver): Promise<NotificationDelivery> {
    const [row] = await this.addAll(notification, [endpoint]);
    if (row === undefined) throw new Error('One endpoint makes one delivery');
    return toDelivery(row, notification);
  }

  /** Adds a delivery to each endpoint, with the same number of statements as for one. */
  async addAll(notification: NotificationRow, endpoints: readonly Receiver[]): Promise<readonly DeliveryRow[]> {
    if (endpoints.length === 0) return [];
    const rows = endpoints.map(({ id, kind }): DeliveryRow => ({
      ...newRow(this.clock.now()),
      tenantId: notification.tenantId,
      endpointId: id,
      notificationId: notification.id,
      status: 'waiting',
      attempts: 0,
      failures: 0,
      triedSince: null,
      lastTriedAt: null,
      lastStatus: null,
      lastError: null,
      nextTryAt: kind === 'webhook' ? this.clock.now() : null,
      deliveredAt: null,
      leaseToken: null,
      leaseUntil: null,
    }));
    await this.deliveries.insert(rows);
    const { tenantId } = notification;
    await this.dispatch(
      endpoints.map(({ id: endpointId, kind, address }, at) => ({
        id: rows[at]?.id ?? '',
        endpointId,
        tenantId,
        kind,
        address,
        notification,
      })),
    );
    return rows;
  }

  /** Returns the outcome of the last deliveries of endpoints; endpoints without any are left out. */
  recentOf(endpointIds: readonly string[]): Promise<ReadonlyMap<string, RecentDeliveries>> {
    return this.deliveries.recentOf(endpointIds, new Date(this.clock.now().getTime() - WEEK_MS));
  }

  /** Lists deliveries, newest first. */
  async list(tenantId: string, query: NotificationDeliveryQuery): Promise<Page<NotificationDelivery>> {
    return pageFrom(
      query,
      (start) => this.deliveries.list(tenantId, query, start),
      (row) => toDelivery(row, row.notification),
    );
  }

  /** Makes a delivery due again, with another day of attempts. Does not touch one that is being made. */
  async redeliver(caller: Caller, id: string): Promise<NotificationDelivery> {
    const { tenantId } = caller;
    const found = orThrow(await this.deliveries.find(tenantId, id), DeliveryNotFound);
    await this.countRequest(tenantId);
    return this.tx.run(async () => {
      // The endpoint first, as in every transaction that locks both.
      const endpoint = await this.endpoints.findForKeyShare(found.endpointId);
      const row = await this.deliveries.findForUpdate(id);
      if (endpoint === null || row === null) throw new DeliveryNotFound();
      assertReceiving(endpoint);
      const notification = await this.notifications.get(found.notificationId);
      assertMayDirect(caller, [notification.kind]);
      const isInOutbox = endpoint.kind === 'mail' && row.status === 'waiting';
      const now = this.clock.now();
      if (isInOutbox || !(await this.deliveries.restart(id, endpoint.kind === 'webhook' ? now : null, now)))
        return toDelivery(row, notification);
      const { id: endpointId, kind, address } = endpoint;
      await this.dispatch([{ id, endpointId, tenantId, kind, address, notification }]);
      await this.audit.record(tenantId, 'notification_delivery.repeated', row);
      return toDelivery(await this.deliveries.get(id), notification);
    });
  }

  /** Counts a test or redelivery that a tenant requests. */
  async countRequest(tenantId: string): Promise<void> {
    await this.limits.consume(ON_REQUEST, tenantId);
  }

  /**
   * Gives up pending deliveries, inside the transaction that disables the endpoint. One that is being made may still arrive.
   * @param kinds only of these kinds of notifications; of all of them if it is not given
   */
  async giveUp(endpointId: string, kinds: readonly string[] | null = null): Promise<void> {
    await this.withdrawMails(await this.deliveries.giveUp(endpointId, kinds, this.clock.now()));
  }

  /** Withdraws the mails of an endpoint, inside the transaction that deletes it, before its rows are deleted. */
  async withdraw(endpointId: string): Promise<void> {
    await this.withdrawMails(await this.deliveries.findWaiting(endpointId));
  }

  /** Wakes the delivery worker, and puts mails into the outbox, for deliveries that were added inside the current transaction. */
  async dispatch(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.some(({ kind }) => kind === 'webhook')) await this.added.run();
    await this.outbox.addAll(
      deliveries.flatMap(({ id, endpointId, tenantId, kind, address, notification }) =>
        kind === 'webhook' || address === null
          ? []
          : [
              {
                purpose: MAIL_PURPOSE,
                aboutId: id,
                tenantId,
                to: address,
                ...this.mailFor({ endpointId, address }, notification),
              },
            ],
      ),
    );
  }

  private mailFor(subscription: Subscription, notification: MailContent): ComposedMail & Pick<NewMail, 'unsubscribe'> {
    const { publicUrl, tokenSecret } = this.config;
    const stop = `${publicUrl}/${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(tokenSecret, subscription)}`;
    const mail = mailOf(notification, publicUrl, { stop });
    return stop.startsWith('https:') ? { ...mail, unsubscribe: stop } : mail;
  }

  private async withdrawMails(rows: readonly { readonly id: string }[]): Promise<void> {
    await this.outbox.withdraw(
      MAIL_PURPOSE,
      rows.map(({ id }) => id),
    );
  }

  private async recordMail({ purpose, aboutId, state, status, error, at }: MailOutcome): Promise<void> {
    if (purpose !== MAIL_PURPOSE) return;
    const tenantId = await this.deliveries.recordMail(aboutId, {
      status: MAIL_STATUS[state],
      lastStatus: status,
      lastError: error,
      at,
    });
    const unasked = { durationMs: null, url: null, answer: null };
    if (tenantId !== null)
      await this.attempts.insert([
        { id: newId(), tenantId, deliveryId: aboutId, triedAt: at, status, error, ...unasked },
      ]);
  }
}

/** Checks that an endpoint can receive a test or redelivery. */
export function assertReceiving({ kind, enabled, confirmedAt }: EndpointEntity): void {
  if (!enabled) throw new EndpointDisabled();
  if (kind === 'mail' && confirmedAt === null) throw new EndpointUnconfirmed();
}

const toDelivery = (
  row: DeliveryRow,
  { kind, message, extensionId, extensionName, version }: NotificationRow,
): NotificationDelivery => ({
  id: row.id,
  endpointId: row.endpointId,
  notificationId: row.notificationId,
  kind,
  message,
  extensionId,
  extensionName,
  version,
  status: row.status,
  attempts: row.attempts,
  lastTriedAt: row.lastTriedAt,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  nextTryAt: row.nextTryAt,
  deliveredAt: row.deliveredAt,
  createdAt: row.createdAt,
});
