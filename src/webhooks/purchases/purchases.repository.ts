import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import {
  PaymentCustomerEntity,
  PurchaseEntity,
  PurchaseLicenseEntity,
  PurchaseRefEntity,
  type PurchaseLicenseRow,
} from './purchase.entity.js';
import { PROCESSOR_IDS, REF_KINDS } from '../../payments/index.js';
import type { Seller } from '../seller.js';

/** A customer whose e-mail address is erased from a purchase. */
export interface ErasedCustomer {
  readonly customerId: string | null;
  readonly email: string | null;
}

/** Purchases with their ids at the processor, the licenses that they pay for, and the processors' customers. */
@Injectable()
export class PurchasesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Locks out every other notification of a seller until the transaction ends. Raw SQL: an advisory lock. */
  async lockSeller({ tenantId, processor }: Seller): Promise<void> {
    await this.tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments:${tenantId}:${processor}`]);
  }

  /** Locks out the notifications of the sellers of a license, as `lock` does. */
  async lockSellersOf(tenantId: string, licenseId: string): Promise<void> {
    await this.tx.query(
      `select pg_advisory_xact_lock(hashtextextended('payments:' || tenant_id || ':' || processor, 0))
        from (select distinct tenant_id, processor from purchase where tenant_id = $1
          and id in (select purchase_id from purchase_license where license_id = $2) order by processor) seller`,
      [tenantId, licenseId],
    );
  }

  find(seller: Seller, id: string): Promise<PurchaseEntity | null> {
    return this.purchases.findOneBy({ id, ...seller });
  }

  /** The purchases that have one of the ids, and those without a license of the customers: those with a license first. */
  async findAbout(
    seller: Seller,
    refs: readonly string[],
    customers: readonly string[],
  ): Promise<readonly PurchaseEntity[]> {
    const named = await this.findRefs(seller, refs);
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

  async save(row: PurchaseEntity): Promise<void> {
    await this.purchases.save(row);
  }

  /** Records when licenses were issued, and why some were not. */
  async saveIssue({ id, issuedAt, unmapped }: PurchaseEntity): Promise<void> {
    await this.purchases.update({ id }, { issuedAt, unmapped });
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.purchases.delete({ id: In([...ids]) });
  }

  /** Finds the processor's ids that are known. */
  findRefs(seller: Seller, refs: readonly string[]): Promise<readonly PurchaseRefEntity[]> {
    return this.refs.findBy({ ...seller, ref: In([...refs]) });
  }

  /** Finds the processor's ids of purchases. */
  findRefsOf(purchaseIds: readonly string[]): Promise<readonly PurchaseRefEntity[]> {
    return this.refs.findBy({ purchaseId: In([...purchaseIds]) });
  }

  /** Finds the licenses of the purchases that have an id of any kind at any processor. Raw SQL: a join. */
  async licenseIdsOf(tenantId: string, id: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly licenseId: string }>(
      `select distinct license_id as "licenseId" from purchase_ref
         join purchase_license using (purchase_id)
        where tenant_id = $1 and processor = any($2) and ref = any($3) and license_id is not null`,
      [tenantId, PROCESSOR_IDS, REF_KINDS.map((kind) => `${kind}:${id}`)],
    );
    return rows.map(({ licenseId }) => licenseId);
  }

  /** The purchase's id at the processor that sorts last; null when it has none. */
  async lastRefOf(seller: Seller, purchaseId: string): Promise<string | null> {
    const row = await this.refs.findOne({ where: { ...seller, purchaseId }, order: { ref: 'DESC' } });
    return row?.ref ?? null;
  }

  /** Makes the processor's ids those of a purchase, also ids that another purchase had. */
  async saveRefs(seller: Seller, purchaseId: string, refs: readonly string[]): Promise<void> {
    const rows = refs.map((ref) => ({ ...seller, ref, purchaseId }));
    await this.refs.upsert(rows, ['tenantId', 'processor', 'ref']);
  }

  findLicensesOf(purchaseId: string): Promise<readonly PurchaseLicenseEntity[]> {
    return this.licenses.find({ where: { purchaseId }, order: { position: 'ASC' } });
  }

  async insertLicense(row: PurchaseLicenseRow): Promise<void> {
    await this.licenses.insert(row);
  }

  async saveLicense(row: PurchaseLicenseEntity): Promise<void> {
    await this.licenses.save(row);
  }

  /** Moves the licenses of joined purchases behind those of the purchase that they became. Raw SQL: one statement numbers them. */
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

  findCustomers(seller: Seller, customerIds: readonly string[]): Promise<readonly PaymentCustomerEntity[]> {
    return this.customers.findBy({ ...seller, customerId: In([...customerIds]) });
  }

  async saveCustomer(row: Omit<PaymentCustomerEntity, 'tenant'>): Promise<void> {
    await this.customers.save(row);
  }

  /** Which of these customers are erased from all of their purchases. Raw SQL: an aggregate over purchases. */
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

  /** Erases the buyer from the purchases that have no other license, and from their notifications. Raw SQL: one statement for all three. */
  eraseBuyer(tenantId: string, licenseId: string, now: Date): Promise<readonly ErasedCustomer[]> {
    return this.tx.query<ErasedCustomer>(
      `with found as (
         select id, customer_id as "customerId", paid -> 'email' ->> 'value' as email
           from purchase where tenant_id = $1
             and id in (select purchase_id from purchase_license where license_id = $2)
             and not exists (select from purchase_license where purchase_id = purchase.id and license_id <> $2)
           for update
       ), erased as (
         update purchase set erased_at = $3, paid = jsonb_set(paid, '{email}', 'null') where id in (select id from found)
       ), forgotten as (
         update inbox_item set payload = null where purchase_id in (select id from found)
       )
       select "customerId", email from found`,
      [tenantId, licenseId, now],
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
