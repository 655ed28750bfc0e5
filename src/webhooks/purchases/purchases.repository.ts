import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { selectList, Transactions } from '../../common/database/index.js';
import {
  PaymentCustomerEntity,
  PurchaseEntity,
  PurchaseLicenseEntity,
  PurchaseRefEntity,
  type PurchaseLicenseRow,
  type PurchaseRefRow,
} from './purchase.entity.js';
import { ERASED, figuresOf, NO_PAYMENTS, type PaymentRecord, readRecord } from '../ledger/index.js';
import type { Seller } from '../seller.js';

/** Number of a seller's notifications that are searched for an event that comes with each payment. */
const LATELY = 2000;

/** A customer whose e-mail address is erased from a purchase. */
export interface ErasedCustomer {
  readonly customerId: string | null;
  readonly email: string | null;
  readonly recipient: string | null;
}

/** A license of a purchase, which other purchases may have had as well. */
export interface SharedSlot extends PurchaseLicenseRow {
  readonly isShared: boolean;
}

/** The turn of a purchase with a license. */
export interface PurchaseTurn {
  readonly row: PurchaseLicenseRow;
  readonly paid: PaymentRecord;
}

const SLOT_COLUMNS = [
  'purchaseId',
  'position',
  'planId',
  'units',
  'isOnce',
  'products',
  'licenseId',
  'endedAt',
  'origin',
  'passedAt',
  'leftAt',
  'former',
] as const satisfies readonly (keyof PurchaseLicenseRow)[];

// The driver's own statements for what a sale always reads and writes, each for the rows of all sales that are handled together.
const LOCK_SELLER = { name: 'lock_seller', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };
// One look into the index for each id: PostgreSQL would read all rows of a seller who has just begun.
const FIND_REFS = {
  name: 'find_purchase_refs',
  text: `
    select found.* from unnest((select $3::text[])) as wanted(ref) cross join lateral (
      select tenant_id as "tenantId", processor, ref, purchase_id as "purchaseId" from purchase_ref
       where tenant_id = $1 and processor = $2 and ref = wanted.ref limit 1
    ) found`,
};
const SAVE_PURCHASES = {
  name: 'save_purchases',
  text: `
    insert into purchase (id, created_at, updated_at, tenant_id, processor, paid, customer_id, issued_at, unmapped, declined, buyer, buyer_words, is_test,
                          ordered_at, subscribed_until, moves, erased_at)
    select * from json_to_recordset($1)
      as (id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "tenantId" uuid, processor text, paid jsonb, "customerId" text,
          "issuedAt" timestamptz, unmapped text, declined text, buyer text, "buyerWords" tsvector, "isTest" boolean, "orderedAt" timestamptz,
          "subscribedUntil" timestamptz, moves jsonb, "erasedAt" timestamptz)
    on conflict (id) do update set updated_at = excluded.updated_at, paid = excluded.paid, customer_id = excluded.customer_id,
      issued_at = excluded.issued_at, unmapped = excluded.unmapped, declined = excluded.declined, buyer = excluded.buyer,
      buyer_words = excluded.buyer_words, is_test = excluded.is_test, ordered_at = excluded.ordered_at, subscribed_until = excluded.subscribed_until, moves = excluded.moves,
      erased_at = excluded.erased_at`,
};
const SAVE_ISSUES = {
  name: 'save_issues',
  text: `
    update purchase set issued_at = saved."issuedAt", unmapped = saved.unmapped, declined = saved.declined
      from json_to_recordset($1) as saved (id uuid, "issuedAt" timestamptz, unmapped text, declined text) where purchase.id = saved.id`,
};
const SAVE_REFS = {
  name: 'save_purchase_refs',
  text: `
    insert into purchase_ref (tenant_id, processor, ref, purchase_id)
    select * from json_to_recordset($1) as ("tenantId" uuid, processor text, ref text, "purchaseId" uuid)
    on conflict (tenant_id, processor, ref) do update set purchase_id = excluded.purchase_id`,
};
const SAVE_LICENSES = {
  name: 'save_purchase_licenses',
  text: `
    insert into purchase_license (purchase_id, position, plan_id, units, is_once, products, license_id, ended_at, origin, passed_at, left_at,
                                  former)
    select * from json_to_recordset($1)
      as ("purchaseId" uuid, position integer, "planId" uuid, units integer, "isOnce" boolean, products text[], "licenseId" uuid,
          "endedAt" timestamptz, origin text, "passedAt" timestamptz, "leftAt" timestamptz, former jsonb)
    on conflict (purchase_id, position) do update set plan_id = excluded.plan_id, units = excluded.units, is_once = excluded.is_once,
      products = excluded.products, license_id = excluded.license_id, ended_at = excluded.ended_at, origin = excluded.origin,
      passed_at = excluded.passed_at, left_at = excluded.left_at, former = excluded.former`,
};

/** Purchases with their ids at the processor, the licenses that they pay for, and the processors' customers. */
@Injectable()
export class PurchasesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Locks out every other notification of a seller until the transaction ends. Raw SQL: an advisory lock. */
  async lockSeller(seller: Seller): Promise<void> {
    await this.tx.prepared(LOCK_SELLER, [lockOf(seller)]);
  }

  /** Locks the seller, as above, unless another transaction has. Raw SQL: an advisory lock. */
  async tryLockSeller(seller: Seller): Promise<boolean> {
    const [row] = await this.tx.query<{ readonly locked: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
      [lockOf(seller)],
    );
    return row?.locked === true;
  }

  /** Locks out the notifications about the purchases of a license and of its buyer, as `lockSeller` does. */
  async lockSellersOf(tenantId: string, licenseId: string): Promise<void> {
    await this.tx.query(
      `select pg_advisory_xact_lock(hashtextextended('payments:' || tenant_id || ':' || processor, 0))
        from (select distinct tenant_id, processor from purchase where tenant_id = $1
          and (id in (select purchase_id from purchase_license where license_id = $2)
            or buyer = (select buyer_email from license where tenant_id = $1 and id = $2)) order by processor) seller`,
      [tenantId, licenseId],
    );
  }

  find(seller: Seller, id: string): Promise<PurchaseEntity | null> {
    return this.purchases.findOneBy({ id, ...seller });
  }

  /** Finds the purchases that have one of the ids, and the customers' purchases without a license. Purchases with a license come first. */
  async findAbout(
    seller: Seller,
    refs: readonly string[],
    customers: readonly string[],
  ): Promise<readonly PurchaseEntity[]> {
    const named = await this.findRefs(seller, refs);
    if (named.length === 0 && customers.length === 0) return [];
    return this.purchases
      .createQueryBuilder('purchase')
      .where('purchase.id = any(:ids)', { ids: named.map(({ purchaseId }) => purchaseId) })
      .orWhere(
        `purchase.tenant_id = :tenantId and purchase.processor = :processor and purchase.customer_id = any(:customers)
          and purchase.issued_at is null`,
        { ...seller, customers },
      )
      .orderBy('purchase.issued_at', 'ASC', 'NULLS LAST')
      .addOrderBy('purchase.id', 'ASC')
      .getMany();
  }

  /** Adds or replaces purchases, with what follows from their records. */
  async save(rows: readonly PurchaseEntity[]): Promise<void> {
    const saved = rows.map((row) => Object.assign(row, figuresOf(row.paid)));
    if (saved.length > 0) await this.tx.prepared(SAVE_PURCHASES, [JSON.stringify(saved)]);
  }

  /** Records when the licenses of purchases were issued, and why some were not. */
  async saveIssues(rows: readonly PurchaseEntity[]): Promise<void> {
    if (rows.length === 0) return;
    await this.tx.prepared(SAVE_ISSUES, [JSON.stringify(rows)]);
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.purchases.delete({ id: In([...ids]) });
  }

  /** Finds those of the processor's ids that belong to a purchase. */
  async findRefs({ tenantId, processor }: Seller, refs: readonly string[]): Promise<readonly PurchaseRefRow[]> {
    return refs.length === 0 ? [] : this.tx.prepared(FIND_REFS, [tenantId, processor, refs]);
  }

  /** Finds the processor's ids of purchases. */
  async findRefsOf(purchaseIds: readonly string[]): Promise<readonly PurchaseRefEntity[]> {
    return purchaseIds.length === 0 ? [] : this.refs.findBy({ purchaseId: In([...purchaseIds]) });
  }

  /**
   * Whether the event that links payments to invoices is not sent: none came lately, and a purchase with a license has an invoice without a
   * payment. Raw SQL: two conditions in one look.
   */
  async lacksLinks({ tenantId, processor }: Seller, linkEvent: string): Promise<boolean> {
    const [row] = await this.tx.query<{ readonly lacks: boolean }>(
      `select not exists (select from (select kind from inbox_item
                where tenant_id = $1 and processor = $2 order by id desc limit $4) last where kind = $3)
         and exists (select from purchase_ref invoice join purchase on purchase.id = invoice.purchase_id
           where (invoice.tenant_id, invoice.processor) = ($1, $2) and invoice.ref like 'invoice:%' and purchase.issued_at is not null
             and not exists (select from purchase_ref payment where payment.purchase_id = purchase.id and payment.ref like 'payment:%')) as lacks`,
      [tenantId, processor, linkEvent, LATELY],
    );
    return row?.lacks === true;
  }

  /** Assigns the processor's ids to purchases, including ids that other purchases had. */
  async saveRefs(rows: readonly PurchaseRefRow[]): Promise<void> {
    if (rows.length > 0) await this.tx.prepared(SAVE_REFS, [JSON.stringify(rows)]);
  }

  /** Finds the licenses of purchases, those of each in order. */
  async findLicensesOf(purchaseIds: readonly string[]): Promise<readonly PurchaseLicenseEntity[]> {
    if (purchaseIds.length === 0) return [];
    return this.licenses.find({ where: { purchaseId: In([...purchaseIds]) }, order: { position: 'ASC' } });
  }

  /**
   * Finds the licenses of purchases, and locks these rows before any license, so that no other purchase takes one over meanwhile. Raw SQL: it says of
   * each whether other purchases have had the license.
   */
  async findSlotsForUpdate(purchaseIds: readonly string[]): Promise<readonly SharedSlot[]> {
    if (purchaseIds.length === 0) return [];
    return this.tx.query<SharedSlot>(
      `select ${selectList('slot', SLOT_COLUMNS)},
              exists (select from purchase_license other where other.license_id = slot.license_id
                        and (other.purchase_id, other.position) <> (slot.purchase_id, slot.position)) as "isShared"
         from purchase_license slot where purchase_id = any($1) order by purchase_id, position for update of slot`,
      [purchaseIds],
    );
  }

  /** Locks the turns that licenses have had. Raw SQL: it returns no row. */
  async lockTurns(licenseIds: readonly string[]): Promise<void> {
    await this.tx.query(
      'select from purchase_license where license_id = any($1) and left_at is null order by purchase_id, position for update',
      [licenseIds],
    );
  }

  /** Finds all purchases that have or had one of the licenses, but those that left it, and locks these rows. Raw SQL: it reads one column. */
  async findTurnsForUpdate(licenseIds: readonly string[]): Promise<readonly PurchaseTurn[]> {
    if (licenseIds.length === 0) return [];
    const rows = await this.licenses.find({
      where: { licenseId: In([...licenseIds]), leftAt: IsNull() },
      order: { purchaseId: 'ASC', position: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    // A statement of its own: while it waited for the rows, the purchases may have changed.
    const purchases = await this.tx.query<Pick<PurchaseEntity, 'id' | 'paid'>>(
      'select id, paid from purchase where id = any($1)',
      [rows.map(({ purchaseId }) => purchaseId)],
    );
    const records = new Map(purchases.map(({ id, paid }) => [id, readRecord(paid)]));
    return rows.map((row) => ({ row, paid: records.get(row.purchaseId) ?? NO_PAYMENTS }));
  }

  /** Finds the licenses of a customer's purchases. */
  async licenseIdsOfCustomer({ tenantId, processor }: Seller, customerId: string): Promise<readonly string[]> {
    const rows = await this.licenses
      .createQueryBuilder('slot')
      .innerJoin('slot.purchase', 'purchase')
      .where(
        'purchase.tenant_id = :tenantId and purchase.processor = :processor and purchase.customer_id = :customerId',
        { tenantId, processor, customerId },
      )
      .andWhere('slot.license_id is not null and slot.passed_at is null')
      .getMany();
    return rows.flatMap(({ licenseId }) => licenseId ?? []);
  }

  /** Returns the licenses among these that belong to a purchase. */
  async takenAmong(licenseIds: readonly string[]): Promise<readonly (string | null)[]> {
    const rows = await this.licenses.findBy({ licenseId: In([...licenseIds]) });
    return rows.map(({ licenseId }) => licenseId);
  }

  /** Adds or replaces licenses of purchases. */
  async saveLicenses(rows: readonly PurchaseLicenseRow[]): Promise<void> {
    if (rows.length > 0) await this.tx.prepared(SAVE_LICENSES, [JSON.stringify(rows)]);
  }

  /** Appends the licenses of merged purchases to the purchase that they were merged into. Raw SQL: one statement numbers them. */
  async moveLicenses(joined: readonly string[], purchaseId: string): Promise<void> {
    await this.tx.query(
      `update purchase_license moved set purchase_id = $1, position = found.next
        from (select purchase_id, position, row_number() over (order by purchase_id, position)
            + (select coalesce(max(position), 0) from purchase_license where purchase_id = $1) as next
          from purchase_license where purchase_id = any($2)) found
        where moved.purchase_id = found.purchase_id and moved.position = found.position`,
      [purchaseId, joined],
    );
  }

  async findCustomers(seller: Seller, customerIds: readonly string[]): Promise<readonly PaymentCustomerEntity[]> {
    return customerIds.length === 0 ? [] : this.customers.findBy({ ...seller, customerId: In([...customerIds]) });
  }

  async saveCustomers(rows: readonly Omit<PaymentCustomerEntity, 'tenant'>[]): Promise<void> {
    if (rows.length > 0) await this.customers.upsert([...rows], ['tenantId', 'processor', 'customerId']);
  }

  /** Finds those customers who are erased from all of their purchases. Raw SQL: an aggregate over purchases. */
  async erasedAmong({ tenantId, processor }: Seller, customerIds: readonly string[]): Promise<readonly string[]> {
    if (customerIds.length === 0) return [];
    const rows = await this.tx.query<{ readonly customerId: string }>(
      `select customer_id as "customerId" from purchase
        where tenant_id = $1 and processor = $2 and customer_id = any($3)
        group by customer_id having bool_and(erased_at is not null)`,
      [tenantId, processor, customerIds],
    );
    return rows.map(({ customerId }) => customerId);
  }

  /**
   * Erases the buyer from the purchases that have no other license, and from their notifications; with the buyer's last license, from purchases
   * that have none as well. Raw SQL: one statement for all three.
   */
  eraseBuyer(tenantId: string, licenseId: string, buyer: string | null, now: Date): Promise<readonly ErasedCustomer[]> {
    return this.tx.query<ErasedCustomer>(
      `with found as (
         select id, customer_id as "customerId", paid -> 'email' ->> 'value' as email,
                paid -> 'recipient' ->> 'value' as recipient
           from purchase where tenant_id = $1
             and (id in (select purchase_id from purchase_license where license_id = $2)
               or buyer = $5 and not exists (select from license where tenant_id = $1 and buyer_email = $5 and id <> $2))
             and not exists (select from purchase_license where purchase_id = purchase.id and license_id <> $2)
           for update
       ), erased as (
         update purchase set erased_at = $3, buyer = null, buyer_words = null, paid = paid || $4::jsonb where id in (select id from found)
       ), forgotten as (
         update inbox_item set payload = null where purchase_id in (select id from found)
       )
       select "customerId", email, recipient from found`,
      [tenantId, licenseId, now, ERASED, buyer],
    );
  }

  /** Deletes customers by address or id who have no purchase that is not erased. Raw SQL: `not exists`, and it returns the addresses. */
  async deleteCustomers(
    tenantId: string,
    emails: readonly string[],
    customerIds: readonly string[],
  ): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly email: string }>(
      `delete from payment_customer customer
        where tenant_id = $1 and (email = any($2) or customer_id = any($3))
          and not exists (select from purchase where erased_at is null
            and (tenant_id, processor, customer_id) = (customer.tenant_id, customer.processor, customer.customer_id))
        returning email`,
      [tenantId, emails, customerIds],
    );
    return rows.map(({ email }) => email);
  }

  private get purchases(): Repository<PurchaseEntity> {
    return this.tx.repository(PurchaseEntity);
  }

  private get refs(): Repository<PurchaseRefEntity> {
    return this.tx.repository(PurchaseRefEntity);
  }

  private get licenses(): Repository<PurchaseLicenseEntity> {
    return this.tx.repository(PurchaseLicenseEntity);
  }

  private get customers(): Repository<PaymentCustomerEntity> {
    return this.tx.repository(PaymentCustomerEntity);
  }
}

const lockOf = ({ tenantId, processor }: Seller): string => `payments:${tenantId}:${processor}`;
