import { Injectable } from '@nestjs/common';
import { And, In, IsNull, LessThan, MoreThanOrEqual, Not, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { InboxItemEntity, OPEN_STATUSES, type InboxItemRow, type InboxStatus } from './inbox-item.entity.js';
import type { Money, ProcessorId } from '../../payments/index.js';
import { NO_LICENSE_YET } from '../purchases/index.js';
import type { Seller } from '../seller.js';

/** Filter of a list of notifications; an absent field does not filter. */
export interface InboxFilter {
  readonly status?: InboxStatus | undefined;
  readonly processor?: ProcessorId | undefined;
  /** Received at this time or later. */
  readonly from?: string | undefined;
  /** Received before this time. */
  readonly to?: string | undefined;
}

const RECEIVED_AT_ONCE = 1_000;

/** The last notification of a processor, or that a credential signed. */
export interface LastNotification {
  readonly kind: string;
  readonly status: InboxStatus;
  readonly receivedAt: Date;
}

/** Buyer of the purchase that a notification is about, and the processor's id of it. */
export interface InboxOrder {
  /** Null until the purchase is an order: until something was bought. */
  readonly orderId: string | null;
  readonly buyer: string | null;
  readonly order: string | null;
  /** The last payment. */
  readonly amount: Money | null;
}

/** The kinds of ids, those first under which people know a purchase. */
export const ORDER_KINDS = ['order', 'subscription', 'transaction', 'invoice', 'session', 'payment', 'charge'];

type Of<Fact> = Fact & { readonly of: string };

/** The driver's own statement: each notification is recorded by it. */
const INSERT_OR_UPDATE = {
  name: 'save_inbox_items',
  text: `
    insert into inbox_item (id, created_at, updated_at, tenant_id, processor, event_key, kind, happened_at, is_test, status, reason, payload,
                            purchase_id, credential_id)
    select * from json_to_recordset($1)
      as (id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "tenantId" uuid, processor text, "eventKey" text, kind text,
          "happenedAt" timestamptz, "isTest" boolean, status text, reason text, payload text, "purchaseId" uuid, "credentialId" uuid)
    on conflict (tenant_id, processor, event_key) do update
      set status = excluded.status, reason = excluded.reason, purchase_id = excluded.purchase_id, updated_at = excluded.updated_at
    returning event_key, id`,
};

/** The payment notifications of all tenants. */
@Injectable()
export class InboxRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Adds items, each of another event; that of an event which was recorded before it was handled takes its effect.
   * @returns the items' ids by the keys of their events
   */
  async insertOrUpdate(rows: readonly InboxItemRow[]): Promise<ReadonlyMap<string, string>> {
    if (rows.length === 0) return new Map();
    const ids = await this.tx.preparedArrays<readonly [string, string]>(INSERT_OR_UPDATE, [JSON.stringify(rows)]);
    return new Map(ids);
  }

  /** Finds some of the notifications that were recorded before a time and are not handled yet, oldest first. */
  findReceived(before: Date): Promise<readonly Pick<InboxItemEntity, 'id' | 'tenantId' | 'processor'>[]> {
    return this.items.find({
      select: { id: true, tenantId: true, processor: true },
      where: { status: 'received', createdAt: LessThan(before) },
      order: { createdAt: 'ASC' },
      take: RECEIVED_AT_ONCE,
    });
  }

  /** Adds an item unless its event is there already. @returns the item of the event */
  async insertOrFind(row: InboxItemRow): Promise<Pick<InboxItemEntity, 'status' | 'reason'>> {
    const { raw } = await this.items.createQueryBuilder().insert().values(row).orIgnore().returning('id').execute();
    if ((raw as readonly unknown[]).length > 0) return row;
    const { tenantId, processor, eventKey } = row;
    const [known = row] = await this.findByKeys({ tenantId, processor }, [eventKey]);
    return known;
  }

  async save(row: InboxItemEntity): Promise<void> {
    await this.items.save(row);
  }

  find(tenantId: string, id: string): Promise<InboxItemEntity | null> {
    return this.items.findOneBy({ id, tenantId });
  }

  /** Finds notifications by the keys under which their processor sends them again. */
  findByKeys(
    seller: Seller,
    eventKeys: readonly string[],
  ): Promise<readonly Pick<InboxItemEntity, 'eventKey' | 'status' | 'reason'>[]> {
    return this.items.find({
      select: { eventKey: true, status: true, reason: true },
      where: { ...seller, eventKey: In([...eventKeys]) },
    });
  }

  /** Lists notifications: one row more than the page holds, newest first. */
  list(tenantId: string, filter: InboxFilter, { limit, after }: PageStart): Promise<readonly InboxItemEntity[]> {
    const { status, processor, from, to } = filter;
    const bounds = [
      ...(from === undefined ? [] : [MoreThanOrEqual(new Date(from))]),
      ...(to === undefined ? [] : [LessThan(new Date(to))]),
    ];
    const where = {
      tenantId,
      id: LessThan(after),
      ...(status === undefined ? {} : { status }),
      ...(processor === undefined ? {} : { processor }),
      ...(bounds.length === 0 ? {} : { createdAt: And(...bounds) }),
    };
    return this.items.find({ where, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Finds whose purchases they are, an id of each at its processor, and what was paid. Raw SQL: it reads two values out of each record. */
  async ordersOf(purchaseIds: readonly string[]): Promise<ReadonlyMap<string, InboxOrder>> {
    const rows = await this.tx.query<Of<InboxOrder>>(
      `select purchase.id as of, case when ordered_at is not null then purchase.id end as "orderId", coalesce(paid -> 'email' ->> 'value', customer.email) as buyer,
              paid -> 'money' -> 'value' as amount,
              (select split_part(ref, ':', 2) from purchase_ref where purchase_id = purchase.id
                order by array_position($2::text[], split_part(ref, ':', 1)), ref limit 1) as "order"
         from purchase left join payment_customer customer using (tenant_id, processor, customer_id)
        where purchase.id = any($1)`,
      [purchaseIds, ORDER_KINDS],
    );
    return new Map(rows.map(({ of, ...order }) => [of, order]));
  }

  /** Finds the last notification of each processor. Raw SQL: one look into an index for each. */
  async lastOfProcessors(
    tenantId: string,
    processors: readonly ProcessorId[],
  ): Promise<ReadonlyMap<string, LastNotification>> {
    const rows = await this.tx.query<Of<LastNotification>>(
      `select asked.of, last.* from unnest($2::text[]) asked(of) cross join lateral (
         select kind, status, created_at as "receivedAt" from inbox_item
          where tenant_id = $1 and processor = asked.of order by id desc limit 1) last`,
      [tenantId, processors],
    );
    return new Map(rows.map(({ of, ...last }) => [of, last]));
  }

  /** Finds the last notification that each credential signed. Raw SQL, as above. */
  async lastOfCredentials(ids: readonly string[]): Promise<ReadonlyMap<string, LastNotification>> {
    const rows = await this.tx.query<Of<LastNotification>>(
      `select asked.of, last.* from unnest($1::uuid[]) asked(of) cross join lateral (
         select kind, status, created_at as "receivedAt" from inbox_item
          where credential_id = asked.of order by id desc limit 1) last`,
      [ids],
    );
    return new Map(rows.map(({ of, ...last }) => [of, last]));
  }

  /** Lists the last notifications of a purchase, in the order in which they happened. */
  async listOfPurchase(tenantId: string, purchaseId: string, limit: number): Promise<readonly InboxItemEntity[]> {
    const items = await this.items.find({ where: { tenantId, purchaseId }, order: { id: 'DESC' }, take: limit });
    return items.toSorted((one, other) => one.happenedAt.getTime() - other.happenedAt.getTime());
  }

  /** Says of the notifications of a purchase that still ask for something what they ask for now. */
  async updateOpen(purchaseId: string, status: InboxStatus, reason: string | null, now: Date): Promise<void> {
    await this.items.update({ purchaseId, status: In([...OPEN_STATUSES]) }, { status, reason, updatedAt: now });
  }

  /** Moves the notifications of merged purchases to the purchase that they were merged into. */
  async movePurchases(joined: readonly string[], purchaseId: string): Promise<void> {
    await this.items.update({ purchaseId: In([...joined]) }, { purchaseId });
  }

  /**
   * Marks the other notifications of a purchase as handled and without a reason for no license, once it has one, or needs none, and `isHandled`;
   * and clears their payloads, whatever their status, once its buyer was erased. Raw SQL: a join.
   * @param needsNone why the purchase needs no license; null when it needs one
   */
  async updateOfPurchase(
    purchaseId: string,
    { isHandled, needsNone }: { readonly isHandled: boolean; readonly needsNone: string | null },
    now: Date,
  ): Promise<void> {
    await this.tx.query(
      `update inbox_item
          set status = case when answered then 'handled' else status end,
              reason = case when answered then $5 else reason end,
              updated_at = case when answered then $3 else updated_at end,
              payload = case when erased then null else payload end
         from (select item.id, purchase.erased_at is not null as erased, $2 and (purchase.issued_at is not null or $5::text is not null)
                   and (item.status in ('unmapped', 'waiting') or coalesce(item.reason = $4, false)) as answered
                 from inbox_item item join purchase on purchase.id = item.purchase_id where purchase.id = $1) found
        where inbox_item.id = found.id and (answered or (erased and payload is not null))`,
      [purchaseId, isHandled, now, NO_LICENSE_YET, needsNone],
    );
  }

  /** Clears the payload of a notification without a purchase if it names an erased customer. Raw SQL: the database searches the payload. */
  async clearPayloadIfErased(id: string): Promise<void> {
    await this.tx.query(
      `update inbox_item set payload = null
        where id = $1 and payload is not null and exists (
          select from purchase where erased_at is not null and tenant_id = inbox_item.tenant_id
            and processor = inbox_item.processor and position('"' || customer_id || '"' in payload) > 0)`,
      [id],
    );
  }

  /** Lists the ids of notifications that belong to no completed purchase, such as those about customers, in order. Raw SQL: `or exists`. */
  async idsOutsidePurchases(tenantId: string, after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly id: string }>(
      `select id from inbox_item where tenant_id = $1 and id > $2 and payload is not null and (purchase_id is null
          or exists (select from purchase where id = inbox_item.purchase_id and paid ->> 'purchasedAt' is null))
        order by id limit $3`,
      [tenantId, after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Clears the payloads that contain one of the texts, which are in lower case. Raw SQL: the database searches the payload. */
  async clearPayloadsContaining(ids: readonly string[], texts: readonly string[]): Promise<void> {
    await this.tx.query(
      `update inbox_item set payload = null
        where id = any($1) and exists (select from unnest($2::text[]) one where position(one in lower(payload)) > 0)`,
      [ids, texts],
    );
  }

  /** Clears the payloads of notifications received before a time. */
  async clearPayloadsBefore(time: Date): Promise<void> {
    await this.items.update({ payload: Not(IsNull()), createdAt: LessThan(time) }, { payload: null });
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.items.delete({ createdAt: LessThan(time) });
  }

  private get items(): Repository<InboxItemEntity> {
    return this.tx.repository(InboxItemEntity);
  }
}
