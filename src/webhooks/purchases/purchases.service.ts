import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Hook, newRow } from '../../common/database/index.js';
import type { PaymentFact } from '../../payments/index.js';
import {
  buyerOf,
  emailFor,
  ERASED,
  isAbout,
  NO_PAYMENTS,
  type PaymentLedger,
  type Purchase,
  recordFact,
} from '../ledger/index.js';
import type { AboutPurchase, Handling, PurchaseOutcome } from './purchase-change.js';
import { PurchaseLicensesService } from './purchase-licenses.service.js';
import { BuyerAddressesService } from './buyer-addresses.service.js';
import { PurchaseEntity } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { ReturningCustomersService } from './returning-customers.service.js';
import type { Seller } from '../seller.js';

/** Purchases as processors report them, and their licenses. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchasesService {
  /** Runs before purchases are deleted that turned out to be one with another. */
  readonly merged = new Hook<{ readonly from: readonly string[]; readonly into: string }>();

  constructor(
    private readonly clock: Clock,
    private readonly purchases: PurchasesRepository,
    private readonly licenses: PurchaseLicensesService,
    private readonly addresses: BuyerAddressesService,
    private readonly returning: ReturningCustomersService,
  ) {}

  /** Locks out every other notification of a seller until the transaction ends, because two can be about one purchase without sharing an id. */
  lockSeller(seller: Seller): Promise<void> {
    return this.purchases.lockSeller(seller);
  }

  /** Locks the seller, unless another notification has. @returns whether it did */
  tryLockSeller(seller: Seller): Promise<boolean> {
    return this.purchases.tryLockSeller(seller);
  }

  /**
   * Records the facts of one or several notifications, and updates the licenses.
   * @returns the outcome for each purchase that they are about
   */
  async record(seller: Seller, facts: readonly PaymentFact[], handling: Handling): Promise<readonly AboutPurchase[]> {
    const rows = await this.findAbout(seller, facts);
    const ledger = await this.ledgerOf(seller, rows, facts);
    const customerIds = facts.flatMap(({ customerId }) => customerId ?? []);
    const returning = await this.returning.find(seller, customerIds);
    const after = facts.reduce(recordFact, { ...ledger, customers: { ...returning, ...ledger.customers } });
    const told = after.purchases.map((purchase) => {
      const earlier = rows.find(({ id }) => id === purchase.id);
      const own = facts.filter((fact) => isAbout(fact, purchase));
      return { purchase, earlier, own, row: this.rowOf(seller, earlier, purchase, { after, handling }) };
    });
    await this.save(seller, ledger, told);
    const changes = told.map(({ purchase, earlier, own, row }) => ({
      row,
      before: earlier?.paid ?? NO_PAYMENTS,
      isNew: earlier === undefined,
      refs: purchase.refs,
      paidAt: lastPaidAt(own),
      takesBack: own.some(({ kind }) => TAKING_BACK.has(kind)),
      handling,
      email: emailFor(after, purchase),
    }));
    const outcomes = await this.licenses.updateLicenses(seller, changes);
    const saved = told.map(({ row }) => row);
    await this.saveCustomers(seller, saved, ledger, after, returning);
    await this.addresses.follow(seller, facts, ledger, after);
    return outcomes.map((outcome, at) => ({ ...outcome, facts: told[at]?.own ?? [] }));
  }

  /** Handles a purchase again. @returns null when the purchase no longer exists */
  async retry(seller: Seller, purchaseId: string, handling: Handling): Promise<PurchaseOutcome | null> {
    const row = await this.purchases.find(seller, purchaseId);
    if (row === null) return null;
    const ledger = await this.ledgerOf(seller, [row], []);
    const [purchase] = ledger.purchases;
    if (purchase === undefined) return null;
    const [outcome = null] = await this.licenses.updateLicenses(seller, [
      {
        row,
        before: row.paid,
        isNew: false,
        refs: purchase.refs,
        paidAt: null,
        takesBack: false,
        handling,
        email: emailFor(ledger, purchase),
      },
    ]);
    return outcome;
  }

  private findAbout(seller: Seller, facts: readonly PaymentFact[]): Promise<readonly PurchaseEntity[]> {
    const refs = facts.flatMap((fact) => (fact.kind === 'customer_seen' ? [] : fact.refs));
    const customers = facts.flatMap((fact) => (fact.kind === 'customer_seen' ? [fact.customerId] : []));
    return this.purchases.findAbout(seller, refs, customers);
  }

  private async ledgerOf(
    seller: Seller,
    rows: readonly PurchaseEntity[],
    facts: readonly PaymentFact[],
  ): Promise<PaymentLedger> {
    const refs = await this.purchases.findRefsOf(rows.map(({ id }) => id));
    const customerIds = [...rows, ...facts].flatMap(({ customerId }) => customerId ?? []);
    const customers = await this.purchases.findCustomers(seller, customerIds);
    return {
      purchases: rows.map(({ id, paid }) => ({
        id,
        paid,
        refs: refs.filter(({ purchaseId }) => purchaseId === id).map(({ ref }) => ref),
      })),
      customers: Object.fromEntries(
        customers.map(({ customerId, email, emailReportedAt }) => [
          customerId,
          { at: emailReportedAt.toISOString(), value: email },
        ]),
      ),
    };
  }

  /** Saves new addresses. Purchases are saved first, because a new purchase of an erased customer makes the address storable again. */
  private async saveCustomers(
    seller: Seller,
    saved: readonly PurchaseEntity[],
    before: PaymentLedger,
    after: PaymentLedger,
    returning: PaymentLedger['customers'],
  ): Promise<void> {
    const changed = Object.entries(after.customers).filter(([id, email]) => before.customers[id] !== email);
    const buying = new Set(saved.filter(({ erasedAt }) => erasedAt === null).map(({ customerId }) => customerId));
    const ids = changed.map(([id]) => id).filter((id) => !buying.has(id));
    const erased = await this.purchases.erasedAmong(seller, ids);
    const storable = changed.filter(([id]) => !erased.includes(id));
    await this.purchases.saveCustomers(
      storable.map(([customerId, { at, value: email }]) => ({
        ...seller,
        customerId,
        email,
        emailReportedAt: new Date(at),
      })),
    );
    for (const [id] of storable) if (returning[id] !== undefined) await this.returning.delete(seller, id);
    for (const [id, email] of changed)
      if (erased.includes(id) && returning[id] !== email) await this.returning.keep(seller, id, email);
  }

  private rowOf(
    seller: Seller,
    found: PurchaseEntity | undefined,
    purchase: Purchase,
    { after, handling }: { readonly after: PaymentLedger; readonly handling: Handling },
  ): PurchaseEntity {
    const now = this.clock.now();
    const base = found ?? {
      ...newRow(now),
      ...seller,
      issuedAt: null,
      unmapped: null,
      declined: null,
      isTest: false,
      erasedAt: null,
    };
    return Object.assign(new PurchaseEntity(), base, {
      paid: base.erasedAt === null ? purchase.paid : { ...purchase.paid, ...ERASED },
      customerId: purchase.paid.customerId?.value ?? null,
      buyer: base.erasedAt === null ? buyerOf(after, purchase) : null,
      isTest: base.isTest || handling.isTest,
      updatedAt: now,
    });
  }

  /** Saves purchases with all their ids, and merges into each the purchases that turned out to be the same. */
  private async save(
    seller: Seller,
    known: PaymentLedger,
    purchases: readonly { readonly purchase: Purchase; readonly row: PurchaseEntity }[],
  ): Promise<void> {
    await this.purchases.save(purchases.map(({ row }) => row));
    // The seller is locked, so the ledger still names every purchase that holds one of the ids.
    const owners = new Map(known.purchases.flatMap(({ id, refs }) => refs.map((ref) => [ref, id] as const)));
    await this.purchases.saveRefs(
      purchases.flatMap(({ purchase, row: { id: purchaseId } }) =>
        purchase.refs.filter((ref) => owners.get(ref) !== purchaseId).map((ref) => ({ ...seller, ref, purchaseId })),
      ),
    );
    for (const { purchase, row } of purchases) {
      const ids = new Set(purchase.refs.map((ref) => owners.get(ref) ?? row.id));
      const joined = [...ids].filter((id) => id !== row.id);
      if (joined.length === 0) continue;
      await this.purchases.moveLicenses(joined, row.id);
      await this.merged.run({ from: joined, into: row.id });
      await this.purchases.delete(joined);
    }
  }
}

const TAKING_BACK: ReadonlySet<PaymentFact['kind']> = new Set(['refunded', 'refund', 'disputed', 'dispute_closed']);

const lastPaidAt = (facts: readonly PaymentFact[]): Date | null =>
  facts
    .filter(({ kind }) => kind === 'purchased' || kind === 'renewed')
    .map(({ at }) => at)
    .toSorted((one, other) => one.getTime() - other.getTime())
    .at(-1) ?? null;
