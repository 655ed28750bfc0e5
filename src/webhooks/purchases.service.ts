import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../common/system/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import type { PaymentFact } from '../payments/index.js';
import { UNPAID } from './apply-payment.js';
import { Erasure } from './erasure.js';
import { emailFor, enterFact, type PaymentBook, type Purchase } from './payment-book.js';
import { PurchaseLicenses, type Seller, type Settled } from './purchase-licenses.service.js';
import { PaymentCustomerEntity, PurchaseEntity, PurchaseRefEntity } from './purchase.entity.js';

/** Purchases as processors tell them, and the licenses that follow. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: PurchaseLicenses,
    private readonly erasure: Erasure,
  ) {}

  /** Excludes every other notification of this seller until the transaction ends: two may be about one purchase without sharing a name. */
  async lock({ tenantId, processor }: Seller): Promise<void> {
    await this.tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments:${tenantId}:${processor}`]);
  }

  /**
   * Enters what a notification says, and lets the licenses follow.
   * @param isReplay the tenant wants it looked at with the plans as they are now
   * @returns what became of each purchase that it is about
   */
  async enter(seller: Seller, facts: readonly PaymentFact[], isReplay = false): Promise<readonly Settled[]> {
    const rows = await this.rowsAbout(seller, facts);
    const before = await this.bookOf(seller, rows, facts);
    const after = facts.reduce(enterFact, before);
    await this.saveCustomers(seller, before, after);
    const paidAt = lastPaidAt(facts);
    const settled: Settled[] = [];
    for (const purchase of after.purchases) {
      const row = await this.save(seller, rows, purchase);
      const said = rows.find(({ id }) => id === purchase.id)?.paid ?? UNPAID;
      settled.push(
        await this.licenses.settle(seller, row, { said, paidAt, isReplay, email: emailFor(after, purchase) }),
      );
    }
    return settled;
  }

  /** Tries again what was not possible before: a plan may fit now. Null when the purchase is gone. */
  async retry(seller: Seller, purchaseId: string): Promise<Settled | null> {
    const row = await this.tx.repository(PurchaseEntity).findOneBy({ id: purchaseId, ...seller });
    if (row === null) return null;
    const book = await this.bookOf(seller, [row], []);
    const [purchase] = book.purchases;
    if (purchase === undefined) return null;
    return this.licenses.settle(seller, row, {
      said: row.paid,
      paidAt: null,
      isReplay: true,
      email: emailFor(book, purchase),
    });
  }

  /** The purchases that facts name, those with a license first, and those of customers that facts tell of. */
  private async rowsAbout(seller: Seller, facts: readonly PaymentFact[]): Promise<readonly PurchaseEntity[]> {
    const refs = facts.flatMap((fact) => (fact.kind === 'customer_seen' ? [] : fact.refs));
    const customers = facts.flatMap((fact) => (fact.kind === 'customer_seen' ? [fact.customerId] : []));
    const named = await this.tx.repository(PurchaseRefEntity).findBy({ ...seller, ref: In(refs) });
    return this.tx
      .repository(PurchaseEntity)
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

  private async bookOf(
    seller: Seller,
    rows: readonly PurchaseEntity[],
    facts: readonly PaymentFact[],
  ): Promise<PaymentBook> {
    const refs = await this.tx.repository(PurchaseRefEntity).findBy({ purchaseId: In(rows.map(({ id }) => id)) });
    const customerIds = [...rows, ...facts].flatMap(({ customerId }) => customerId ?? []);
    const customers = await this.tx
      .repository(PaymentCustomerEntity)
      .findBy({ ...seller, customerId: In(customerIds) });
    return {
      purchases: rows.map(({ id, paid }) => ({
        id,
        paid,
        refs: refs.filter(({ purchaseId }) => purchaseId === id).map(({ ref }) => ref),
      })),
      customers: Object.fromEntries(
        customers.map(({ customerId, email, saidAt }) => [customerId, { at: saidAt.toISOString(), value: email }]),
      ),
    };
  }

  private async saveCustomers(seller: Seller, before: PaymentBook, after: PaymentBook): Promise<void> {
    const said = Object.entries(after.customers).filter(([id, value]) => before.customers[id] !== value);
    const ids = said.map(([id]) => id);
    const erased = await this.erasure.erasedAmong(seller.tenantId, seller.processor, ids);
    const changed = said.filter(([id]) => !erased.includes(id));
    for (const [customerId, { at, value }] of changed)
      await this.tx
        .repository(PaymentCustomerEntity)
        .save({ ...seller, customerId, email: value, saidAt: new Date(at) });
  }

  /** Keeps a purchase under all its names; purchases that turned out to be this one go. */
  private async save(seller: Seller, rows: readonly PurchaseEntity[], purchase: Purchase): Promise<PurchaseEntity> {
    const now = this.clock.now();
    const found = rows.find(({ id }) => id === purchase.id);
    const base = found ?? {
      ...newRow(now),
      ...seller,
      issuedAt: null,
      unmapped: null,
      licenseId: null,
      erasedAt: null,
    };
    const row = Object.assign(new PurchaseEntity(), base, {
      paid: base.erasedAt === null ? purchase.paid : { ...purchase.paid, email: null },
      customerId: purchase.paid.customerId?.value ?? null,
      updatedAt: now,
    });
    await this.tx.repository(PurchaseEntity).save(row);
    const owned = await this.tx.repository(PurchaseRefEntity).findBy({ ...seller, ref: In([...purchase.refs]) });
    const joined = [...new Set(owned.map(({ purchaseId }) => purchaseId))].filter((id) => id !== row.id);
    await this.tx
      .repository(PurchaseRefEntity)
      .save(purchase.refs.map((ref) => ({ ...seller, ref, purchaseId: row.id })));
    if (joined.length > 0) {
      await this.licenses.join(row.id, joined);
      await this.tx.query('update inbox_item set purchase_id = $1 where purchase_id = any($2)', [row.id, joined]);
      await this.tx.repository(PurchaseEntity).delete({ id: In(joined) });
    }
    return row;
  }
}

const lastPaidAt = (facts: readonly PaymentFact[]): Date | null =>
  facts
    .filter(({ kind }) => kind === 'purchased' || kind === 'renewed')
    .map(({ at }) => at)
    .toSorted((one, other) => one.getTime() - other.getTime())
    .at(-1) ?? null;
