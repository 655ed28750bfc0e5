import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../common/clock/clock.js';
import { Config } from '../common/config/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { idOrAbsent } from '../common/ids/ids.js';
import { CodeClaims, CodeMails } from '../delivery/index.js';
import { LicenseBook, PlansService, type LicenseChange, type PlanEntity } from '../licensing/index.js';
import type { PaymentFact, ProcessorId } from '../payments/index.js';
import { entitlementOf, productsOf, UNPAID, type PaidLicense } from './apply-payment.js';
import { changeByPayments } from './license-change.js';
import { emailFor, enterFact, type PaymentBook, type Purchase } from './payment-book.js';
import { PaymentCustomerEntity, PurchaseEntity, PurchaseRefEntity } from './purchase.entity.js';

/** Whose purchases they are. */
export interface Seller {
  readonly tenantId: string;
  readonly processor: ProcessorId;
}

/** What became of a purchase. */
export type Settled =
  | { readonly status: 'handled'; readonly purchaseId: string }
  | { readonly status: 'unmapped' | 'waiting'; readonly purchaseId: string; readonly reason: string };

/** Purchases as processors tell them, and the licenses that follow. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly plans: PlansService,
    private readonly licenses: LicenseBook,
    private readonly mails: CodeMails,
    private readonly claims: CodeClaims,
  ) {}

  /** Excludes every other notification of this seller until the transaction ends: two may be about one purchase without sharing a name. */
  async lock({ tenantId, processor }: Seller): Promise<void> {
    await this.tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments:${tenantId}:${processor}`]);
  }

  /** Enters what a notification says, and lets the licenses follow. @returns what became of each purchase that it is about */
  async enter(seller: Seller, facts: readonly PaymentFact[]): Promise<readonly Settled[]> {
    const rows = await this.rowsAbout(seller, facts);
    const before = await this.bookOf(seller, rows, facts);
    const after = facts.reduce(enterFact, before);
    await this.saveCustomers(seller, before, after);
    const settled: Settled[] = [];
    for (const purchase of after.purchases) {
      const row = await this.save(seller, rows, purchase);
      const said = rows.find(({ id }) => id === purchase.id)?.paid ?? UNPAID;
      settled.push(await this.settle(seller, row, said, emailFor(after, purchase)));
    }
    return settled;
  }

  /** Tries again what was not possible before: a plan may fit now. Null when the purchase is gone. */
  async retry(seller: Seller, purchaseId: string): Promise<Settled | null> {
    const row = await this.tx.repository(PurchaseEntity).findOneBy({ id: purchaseId, ...seller });
    if (row === null) return null;
    const book = await this.bookOf(seller, [row], []);
    const [purchase] = book.purchases;
    return purchase === undefined ? null : this.settle(seller, row, row.paid, emailFor(book, purchase));
  }

  /** Lets a purchase's license become what the payments say. @param before what they said until now */
  private async settle(
    seller: Seller,
    row: PurchaseEntity,
    before: PaidLicense,
    email: string | null,
  ): Promise<Settled> {
    const purchaseId = row.id;
    if (row.issuedAt !== null) await this.follow(seller, row, before, email);
    const owes = row.issuedAt === null && row.paid.purchasedAt !== null;
    if (!owes) return { status: 'handled', purchaseId };
    const plan = await this.planFor(seller, row.paid);
    if (plan === null) return { status: 'unmapped', purchaseId, reason: unmappedReason(row.paid) };
    if (email === null) return { status: 'waiting', purchaseId, reason: WAITING_REASON };
    await this.issue(seller, row, plan, email);
    return { status: 'handled', purchaseId };
  }

  private async issue(seller: Seller, row: PurchaseEntity, plan: PlanEntity, buyerEmail: string): Promise<void> {
    const { expiresAt, suspendedFor, revokedFor } = entitlementOf(row.paid, this.config.dunningGraceDays);
    const [source] = await this.tx
      .repository(PurchaseRefEntity)
      .find({ where: { ...seller, purchaseId: row.id }, order: { ref: 'DESC' }, take: 1 });
    const { license, code } = await this.licenses.issue({
      tenantId: seller.tenantId,
      plan,
      buyerEmail,
      expiresAt,
      source: `${seller.processor}:${source?.ref ?? row.id}`,
    });
    const now = this.clock.now();
    if (suspendedFor.length > 0 || revokedFor !== null)
      await this.licenses.change(license, {
        suspendedFor: [...suspendedFor],
        revokedAt: revokedFor === null ? null : now,
      });
    // Whoever was refunded before the code could go out is sent none.
    if (revokedFor === null) {
      await this.mails.send(license, code);
      await this.claims.keep(license, code, row.paid.claimToken?.value ?? null);
    }
    Object.assign(row, { licenseId: license.id, issuedAt: now });
    await this.tx.repository(PurchaseEntity).save(row);
  }

  /** Changes what payments changed, and nothing that the tenant did. */
  private async follow(seller: Seller, row: PurchaseEntity, before: PaidLicense, email: string | null): Promise<void> {
    const license = row.licenseId === null ? null : await this.licenses.lock(seller.tenantId, row.licenseId);
    if (license === null) return;
    const change: Mutable<LicenseChange> = changeByPayments(
      license,
      entitlementOf(before, this.config.dunningGraceDays),
      entitlementOf(row.paid, this.config.dunningGraceDays),
      this.clock.now(),
    );
    if (email !== null && email !== license.buyerEmail && before.email?.value !== row.paid.email?.value)
      change.buyerEmail = email;
    const plan = isSameProduct(before, row.paid) ? null : await this.planFor(seller, row.paid);
    if (plan !== null && plan.extensionId === license.extensionId && plan.id !== license.planId)
      change.planId = plan.id;
    await this.nameToken(license.id, before, row.paid);
    if (Object.keys(change).length > 0) await this.licenses.change(license, change);
  }

  private async nameToken(licenseId: string, before: PaidLicense, { claimToken }: PaidLicense): Promise<void> {
    const token = claimToken?.value;
    if (token !== undefined && token !== before.claimToken?.value) await this.claims.name(licenseId, token);
  }

  private planFor({ tenantId, processor }: Seller, paid: PaidLicense): Promise<PlanEntity | null> {
    const planId = paid.planId === null ? null : idOrAbsent(paid.planId.value);
    return this.plans.forPurchase(tenantId, { planId, processor, productIds: productsOf(paid) });
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
    const changed = Object.entries(after.customers).filter(([id, said]) => before.customers[id] !== said);
    for (const [customerId, { at, value }] of changed)
      await this.tx
        .repository(PaymentCustomerEntity)
        .save({ ...seller, customerId, email: value, saidAt: new Date(at) });
  }

  /** Keeps a purchase under all its names; purchases that turned out to be this one go. */
  private async save(seller: Seller, rows: readonly PurchaseEntity[], purchase: Purchase): Promise<PurchaseEntity> {
    const now = this.clock.now();
    const found = rows.find(({ id }) => id === purchase.id);
    const base = found ?? { ...newRow(now), ...seller, issuedAt: null, licenseId: null };
    const row = Object.assign(new PurchaseEntity(), base, {
      paid: purchase.paid,
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
      await this.tx.query('update inbox_item set purchase_id = $1 where purchase_id = any($2)', [row.id, joined]);
      await this.tx.repository(PurchaseEntity).delete({ id: In(joined) });
    }
    return row;
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const WAITING_REASON =
  'No e-mail address is known for this purchase. It goes on by itself once the processor tells one: subscribe the webhook to customer events, or put `email` into the custom data at checkout.';

function unmappedReason(paid: PaidLicense): string {
  if (paid.planId !== null) return `No plan of this tenant has the id ${paid.planId.value}, which the purchase names.`;
  const products = productsOf(paid);
  return products.length === 0
    ? 'The purchase names neither a plan nor a product. Put `planId` into its metadata at checkout.'
    : `No plan lists any of ${products.join(', ')}. Add one to the products of a plan, then replay this.`;
}

const isSameProduct = (before: PaidLicense, after: PaidLicense): boolean =>
  before.planId?.value === after.planId?.value && productsOf(before).join() === productsOf(after).join();
