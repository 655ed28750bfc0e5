import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Hook, IS_UNLEASED, newRow, Transactions } from '../common/database/index.js';
import { readPage, toPage, type Page } from '../common/fields/index.js';
import { RateLimits } from '../common/access/index.js';
import { Outbox, type MailOutcome } from '../mail/index.js';
import { DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';
import { EndpointEntity } from './endpoint.entity.js';
import type { DeliveredKind } from './kinds.js';
import { NotificationEntity } from './notification.entity.js';
import type { NotificationDelivery, NotificationDeliveryQuery } from './notifications.dto.js';
import { DeliveryNotFound, EndpointDisabled, EndpointUnconfirmed } from './notifications.problems.js';
import { mailOf } from './wording.js';

const MAIL_PURPOSE = 'notification';
/** A person asks for a test or a repetition; a loop over the API must not make Pierhead flood an address. */
const SENT_BY_HAND = { name: 'notification-by-hand', perMinute: 20 } as const;

type Notified = Omit<NotificationEntity, 'tenant'>;
type Listening = Pick<EndpointEntity, 'id' | 'kind' | 'address'>;
type KnownDelivery = Omit<DeliveryEntity, 'tenant' | 'endpoint' | 'notification'>;
/** Where a delivery, by its id, goes to. */
type Addressed = Pick<EndpointEntity, 'kind' | 'address'> & Pick<DeliveryEntity, 'id'>;

const MAIL_STATUS = {
  waiting: 'waiting',
  sent: 'delivered',
  undelivered: 'given_up',
} as const satisfies Record<MailOutcome['state'], DeliveryStatus>;

/** What is on its way to whom. A webhook waits here, until the courier takes it; a mail waits in the outbox. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  /** Run inside the transaction that leaves something for the courier. */
  readonly added = new Hook<void>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.outbox.attempted.add((outcome) => this.hearOfMail(outcome));
  }

  /** Sends a notification on its way, inside the transaction under way. */
  async add(notification: Notified, endpoint: Listening): Promise<NotificationDelivery> {
    const [row] = await this.addAll(notification, [endpoint]);
    if (row === undefined) throw new Error('One endpoint makes one delivery');
    return toDelivery(row, notification.kind);
  }

  /** Sends a notification on its way to each of many, with as many statements as to one. */
  async addAll(notification: Notified, endpoints: readonly Listening[]): Promise<readonly KnownDelivery[]> {
    if (endpoints.length === 0) return [];
    const rows = endpoints.map(({ id, kind }): KnownDelivery => ({
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
    await this.tx.repository(DeliveryEntity).insert(rows);
    await this.dispatch(
      notification,
      endpoints.map(({ kind, address }, at) => ({ id: rows[at]?.id ?? '', kind, address })),
    );
    return rows;
  }

  async list(tenantId: string, query: NotificationDeliveryQuery): Promise<Page<NotificationDelivery>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(DeliveryEntity)
      .createQueryBuilder('delivery')
      .innerJoinAndSelect('delivery.notification', 'notification')
      .where({ tenantId, ...(query.status === undefined ? {} : { status: query.status }) })
      .andWhere('delivery.id < :after', { after })
      .orderBy('delivery.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, (row) => toDelivery(row, row.notification?.kind ?? 'test'));
  }

  /**
   * Delivers once more: at once, and with a whole new day of tries. What is being delivered right now is left to that.
   * @throws DeliveryNotFound, EndpointDisabled, EndpointUnconfirmed, RateLimited
   */
  async redeliver(tenantId: string, id: string): Promise<NotificationDelivery> {
    const found = await this.tx.repository(DeliveryEntity).findOneBy({ id, tenantId });
    if (found === null) throw new DeliveryNotFound();
    await this.mayBeAsked(tenantId);
    return this.tx.run(async () => {
      const { endpointId, notificationId } = found;
      // Endpoint first, as everybody does who locks both.
      const endpoint = await this.tx
        .repository(EndpointEntity)
        .findOne({ where: { id: endpointId }, lock: { mode: 'for_key_share' } });
      const row = await this.tx
        .repository(DeliveryEntity)
        .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
      if (endpoint === null || row === null) throw new DeliveryNotFound();
      mustListen(endpoint);
      const notification = await this.tx.repository(NotificationEntity).findOneByOrFail({ id: notificationId });
      const isInOutbox = endpoint.kind === 'mail' && row.status === 'waiting';
      if (isInOutbox || !(await this.begin(row, endpoint))) return toDelivery(row, notification.kind);
      await this.dispatch(notification, [{ id, kind: endpoint.kind, address: endpoint.address }]);
      return toDelivery(await this.tx.repository(DeliveryEntity).findOneByOrFail({ id }), notification.kind);
    });
  }

  /** Counts what people ask for by hand. @throws RateLimited */
  async mayBeAsked(tenantId: string): Promise<void> {
    await this.limits.consume(SENT_BY_HAND, tenantId);
  }

  /** Gives up what waits for an endpoint, inside the transaction that switches it off; what is being delivered right now may still arrive. */
  async giveUp(endpointId: string): Promise<void> {
    const rows = await this.tx.query<{ readonly id: string }>(
      `update notification_delivery
          set status = 'given_up', next_try_at = null, last_error = 'switched_off', updated_at = $2
        where endpoint_id = $1 and status = 'waiting' and ${IS_UNLEASED} returning id`,
      [endpointId, this.clock.now()],
    );
    await this.withdrawMails(rows);
  }

  /** Takes back the mails of an endpoint, inside the transaction that deletes it, before its rows go. */
  async withdraw(endpointId: string): Promise<void> {
    await this.withdrawMails(await this.tx.repository(DeliveryEntity).findBy({ endpointId, status: 'waiting' }));
  }

  private async withdrawMails(rows: readonly { readonly id: string }[]): Promise<void> {
    await this.outbox.withdraw(
      MAIL_PURPOSE,
      rows.map(({ id }) => id),
    );
  }

  /** @returns false when it is being delivered right now */
  private async begin({ id }: DeliveryEntity, { kind }: EndpointEntity): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.tx.query(
      `update notification_delivery
          set status = 'waiting', failures = 0, tried_since = null, delivered_at = null, next_try_at = $2,
              lease_token = null, lease_until = null, updated_at = $3
        where id = $1 and ${IS_UNLEASED} returning id`,
      [id, kind === 'webhook' ? now : null, now],
    );
    return rows.length === 1;
  }

  private async dispatch(notification: Notified, deliveries: readonly Addressed[]): Promise<void> {
    if (deliveries.some(({ kind }) => kind === 'webhook')) await this.added.run();
    const mail = mailOf(notification);
    await this.outbox.addAll(
      deliveries.flatMap(({ id, kind, address }) =>
        kind === 'webhook' || address === null ? [] : [{ purpose: MAIL_PURPOSE, aboutId: id, to: address, ...mail }],
      ),
    );
  }

  private async hearOfMail({ purpose, aboutId, state, status, error, at }: MailOutcome): Promise<void> {
    if (purpose !== MAIL_PURPOSE) return;
    await this.tx.query(
      `update notification_delivery
          set status = case when $2 = 'waiting' then status else $2 end, attempts = attempts + 1, last_tried_at = $3,
              last_status = $4, last_error = $5, delivered_at = case when $2 = 'delivered' then $3::timestamptz end, updated_at = $3
        where id = $1`,
      [aboutId, MAIL_STATUS[state], at, status, error],
    );
  }
}

/** Whether an endpoint takes what somebody asks for by hand. @throws EndpointDisabled, EndpointUnconfirmed */
export function mustListen({ kind, enabled, confirmedAt }: EndpointEntity): void {
  if (!enabled) throw new EndpointDisabled();
  if (kind === 'mail' && confirmedAt === null) throw new EndpointUnconfirmed();
}

const toDelivery = (row: KnownDelivery, kind: DeliveredKind): NotificationDelivery => ({
  id: row.id,
  endpointId: row.endpointId,
  notificationId: row.notificationId,
  kind,
  status: row.status,
  attempts: row.attempts,
  lastTriedAt: row.lastTriedAt,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  nextTryAt: row.nextTryAt,
  deliveredAt: row.deliveredAt,
  createdAt: row.createdAt,
});
