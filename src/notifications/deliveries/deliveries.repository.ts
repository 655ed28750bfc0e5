import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { IS_UNLOCKED, RETURNED_LOCK, Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { NotificationEntity } from '../notification.entity.js';
import { DeliveryEntity, type DeliveryRow, type DeliveryStatus } from './delivery.entity.js';
import type { DeliveryResult } from './delivery-result.js';

/** Longer than the calls that are made one after another may take. */
const LOCK_SECONDS = 30;
/** Deliveries to one endpoint that a worker takes together. */
const TOGETHER = 20;
/** Simultaneous calls for one tenant: fewer than one process makes, so that receivers that do not answer cannot delay other tenants. */
const MAX_OF_ONE_TENANT = 4;
/** The advisory lock under which deliveries are taken; a number that no other lock uses. */
const TAKE_LOCK = 1_795_000_300;

/** A delivery that a worker may make now, with its endpoint and its notification. */
export type DueDelivery = DeliveryEntity & WorkLock & Required<Pick<DeliveryEntity, 'endpoint' | 'notification'>>;

/** A delivery with its notification. */
export type ListedDelivery = DeliveryEntity & Required<Pick<DeliveryEntity, 'notification'>>;

/** How an attempt ended. */
export type AttemptResult = WorkLock & Omit<DeliveryResult, 'isGone'> & { readonly triedAt: Date };

/** Filter of a list of deliveries. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly endpoint?: string;
}

/** An attempt to hand over the mail of a delivery. */
export interface MailAttempt {
  readonly status: DeliveryStatus;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly at: Date;
}

/** Outcome of an endpoint's last deliveries. */
export interface RecentDeliveries {
  readonly of: number;
  /** Deliveries that have not arrived. */
  readonly failed: number;
  /** The last one is among them. */
  readonly isFailing: boolean;
  /** Of the last week, and those of them that arrived. */
  readonly tried: number;
  readonly arrived: number;
}

const RECENT = 20;
/** Deliveries of an endpoint that are counted for its week at most. */
const COUNTED = 500;

/** Deliveries of notifications to endpoints. */
@Injectable()
export class DeliveriesRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'notification_delivery', due: 'next_try_at', seconds: LOCK_SECONDS });
  }

  async insert(rows: readonly DeliveryRow[]): Promise<void> {
    await this.deliveries.insert([...rows]);
  }

  /** Lists deliveries with their notifications: one row more than the page holds, newest first. */
  list(
    tenantId: string,
    { status, endpoint: endpointId }: DeliveryFilter,
    { limit, after }: PageStart,
  ): Promise<readonly ListedDelivery[]> {
    const filter = { ...(status !== undefined && { status }), ...(endpointId !== undefined && { endpointId }) };
    const rows = this.deliveries
      .createQueryBuilder('delivery')
      .innerJoinAndSelect('delivery.notification', 'notification')
      .where({ tenantId, ...filter })
      .andWhere('delivery.id < :after', { after })
      .orderBy('delivery.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return rows as Promise<ListedDelivery[]>;
  }

  find(tenantId: string, id: string): Promise<DeliveryEntity | null> {
    return this.deliveries.findOneBy({ id, tenantId });
  }

  /** Reads a delivery by its id alone, for work on it. */
  get(id: string): Promise<DeliveryEntity> {
    return this.deliveries.findOneByOrFail({ id });
  }

  /** Finds notifications by their ids, and locks them against changes, such as the erasure of a buyer, until the transaction ends. */
  async findNotificationsForShare(ids: readonly string[]): Promise<ReadonlyMap<string, NotificationEntity>> {
    const rows = await this.tx
      .repository(NotificationEntity)
      .find({ where: { id: In([...ids]) }, lock: { mode: 'pessimistic_read' } });
    return new Map(rows.map((row) => [row.id, row]));
  }

  findForUpdate(id: string): Promise<DeliveryEntity | null> {
    return this.deliveries.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Finds the deliveries that wait for an endpoint. */
  findWaiting(endpointId: string): Promise<DeliveryEntity[]> {
    return this.deliveries.findBy({ endpointId, status: 'waiting' });
  }

  /**
   * Takes webhooks to one endpoint: that which has been due for longest among the endpoints that no worker is calling, so that a slow receiver
   * delays no other, and those behind it. The lock makes workers take turns: each sees which endpoints the others are calling, and how many of each
   * tenant.
   */
  take(now: Date): Promise<readonly DueDelivery[]> {
    return this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [TAKE_LOCK]);
      const locks = await this.locks.takeAllDue(now, String(TOGETHER), {
        // Arrays, so that the endpoints and tenants being called are read once, and not for each waiting delivery.
        where: `endpoint_id = any(array(select endpoint_id from notification_delivery due
            where next_try_at <= $1 and ${IS_UNLOCKED} and exists (select from notification_endpoint where id = due.endpoint_id and enabled)
              and endpoint_id <> all(array(select endpoint_id from notification_delivery where lease_until > now()))
              and tenant_id <> all(array(select tenant_id from notification_delivery where lease_until > now()
                                          group by tenant_id having count(distinct endpoint_id) >= ${MAX_OF_ONE_TENANT}))
            order by next_try_at, due.id limit 1))`,
      });
      if (locks.length === 0) return [];
      return (await this.deliveries.find({
        where: { id: In(locks.map(({ id }) => id)) },
        relations: { endpoint: true, notification: true },
        order: { nextTryAt: 'ASC', id: 'ASC' },
      })) as DueDelivery[];
    });
  }

  /**
   * Counts attempts, records how they ended, and returns their work locks. Raw SQL: one statement for values of several rows.
   * @returns the ids of those whose work lock was not lost; of the others nothing was written
   */
  async recordResults(results: readonly AttemptResult[], now: Date): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly id: string }>(
      `update notification_delivery delivery
          set attempts = attempts + 1, last_tried_at = result."triedAt", tried_since = coalesce(tried_since, result."triedAt"),
              status = result.status, failures = result.failures, next_try_at = result."nextTryAt", last_status = result."lastStatus",
              last_error = result."lastError", delivered_at = case when result.status = 'delivered' then $2::timestamptz end,
              updated_at = $2, lease_token = null, lease_until = null
         from json_to_recordset($1) as result (id uuid, "leaseToken" uuid, "triedAt" timestamptz, status text, failures integer,
              "nextTryAt" timestamptz, "lastStatus" integer, "lastError" text)
        where delivery.id = result.id and lease_token = result."leaseToken" returning delivery.id`,
      [JSON.stringify(results), now],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts the last deliveries of endpoints that were tried. Raw SQL: one look into an index for each endpoint. */
  async recentOf(endpointIds: readonly string[], weekBegan: Date): Promise<ReadonlyMap<string, RecentDeliveries>> {
    const rows = await this.tx.query<RecentDeliveries & { readonly id: string }>(
      `select asked.id, count(*) filter (where place <= ${RECENT})::int as of,
              count(*) filter (where place <= ${RECENT} and status <> 'delivered')::int as failed,
              bool_or(place = 1 and status <> 'delivered') as "isFailing",
              count(*) filter (where created_at >= $2)::int as tried,
              count(*) filter (where created_at >= $2 and status = 'delivered')::int as arrived
         from unnest($1::uuid[]) asked(id) cross join lateral (
           select status, created_at, row_number() over (order by id desc) as place
             from notification_delivery where endpoint_id = asked.id and attempts > 0
            order by id desc limit ${COUNTED}) recent
        group by asked.id`,
      [endpointIds, weekBegan],
    );
    return new Map(rows.map(({ id, ...recent }) => [id, recent]));
  }

  /** Makes a delivery due again with a new series of attempts. @returns false when a worker is making it right now */
  async restart(id: string, nextTryAt: Date | null, now: Date): Promise<boolean> {
    const restarted = { status: 'waiting', failures: 0, triedSince: null, deliveredAt: null, nextTryAt } as const;
    const result = await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ ...restarted, ...RETURNED_LOCK, updatedAt: now })
      .where({ id })
      .andWhere(IS_UNLOCKED)
      .execute();
    return result.affected === 1;
  }

  /** Gives up what waits for an endpoint, or of that what is of some kinds. Raw SQL, because TypeORM's `update` returns no rows. */
  giveUp(endpointId: string, kinds: readonly string[] | null, now: Date): Promise<readonly { readonly id: string }[]> {
    return this.tx.query(
      `update notification_delivery
          set status = 'given_up', next_try_at = null, last_error = 'switched_off', updated_at = $2
        where endpoint_id = $1 and status = 'waiting' and ${IS_UNLOCKED}
          and ($3::text[] is null or notification_id in (select id from notification where kind = any($3))) returning id`,
      [endpointId, now, kinds],
    );
  }

  /**
   * Records an attempt to hand over the mail of a delivery. Raw SQL: it adds to a count that it has not read, and keeps a status given up
   * meanwhile.
   * @returns the tenant; null when the delivery was deleted
   */
  async recordMail(id: string, { status, lastStatus, lastError, at }: MailAttempt): Promise<string | null> {
    const [row] = await this.tx.query<{ readonly tenantId: string }>(
      `update notification_delivery
          set status = case when $2 = 'waiting' then status else $2 end, attempts = attempts + 1, last_tried_at = $3,
              last_status = $4, last_error = $5, delivered_at = case when $2 = 'delivered' then $3::timestamptz end, updated_at = $3
        where id = $1 returning tenant_id as "tenantId"`,
      [id, status, at, lastStatus, lastError],
    );
    return row?.tenantId ?? null;
  }

  private get deliveries(): Repository<DeliveryEntity> {
    return this.tx.repository(DeliveryEntity);
  }
}
