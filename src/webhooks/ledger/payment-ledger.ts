import type { PaymentFact } from '../../payments/index.js';
import { applyPayment, joinPaid, NO_PAYMENTS, type PaymentRecord } from './apply-payment.js';
import { newerOf, type Dated } from './dated.js';

/** One purchase with all the ids that its processor has for it. */
export interface Purchase {
  /** The row's id; null when it has none yet. */
  readonly id: string | null;
  readonly refs: readonly string[];
  readonly paid: PaymentRecord;
}

/** Known purchases and customers that a notification is about. */
export interface PaymentLedger {
  readonly purchases: readonly Purchase[];
  /** E-mail addresses by the processor's customer id. */
  readonly customers: Readonly<Record<string, Dated<string>>>;
}

/** Nothing is known yet. */
export const EMPTY_LEDGER: PaymentLedger = { purchases: [], customers: {} };

/**
 * Records one fact. Purchases that turn out to be the same are joined under the first of their ids: a refund names a payment, and a later event
 * may say whose payment that was. Pure.
 */
export function recordFact(ledger: PaymentLedger, fact: PaymentFact): PaymentLedger {
  if (fact.kind === 'customer_seen') {
    const dated = { at: fact.at.toISOString(), value: fact.email };
    const email = newerOf(ledger.customers[fact.customerId] ?? null, dated) ?? dated;
    return { ...ledger, customers: { ...ledger.customers, [fact.customerId]: email } };
  }
  const isKnown = (one: Purchase): boolean => isAbout(fact, one);
  const matches = ledger.purchases.filter(isKnown);
  const paid = matches.reduce((record, one) => joinPaid(record, one.paid), NO_PAYMENTS);
  const updated: Purchase = {
    id: matches.map(({ id }) => id).find((id) => id !== null) ?? null,
    refs: [...new Set([...matches.flatMap(({ refs }) => refs), ...fact.refs])].toSorted(),
    paid: { ...paid, ...applyPayment(paid, fact) },
  };
  const others = ledger.purchases.filter((one) => !isKnown(one));
  const first = ledger.purchases.findIndex(isKnown);
  const place = first === -1 ? others.length : first;
  // In its place: of purchases that turn out to be the same later, the first one stays.
  return { ...ledger, purchases: [...others.slice(0, place), updated, ...others.slice(place)] };
}

/** Whether a fact is about a purchase, or about its customer. Pure. */
export const isAbout = (fact: PaymentFact, { refs, paid }: Purchase): boolean =>
  fact.kind === 'customer_seen'
    ? paid.customerId?.value === fact.customerId
    : fact.refs.some((ref) => refs.includes(ref));

/** The e-mail address that receives the code: of the person for whom it was bought, or the purchase's, or else its customer's; null while none is known. */
export const emailFor = (ledger: PaymentLedger, purchase: Purchase): string | null =>
  purchase.paid.recipient?.value ?? buyerOf(ledger, purchase);

/** The e-mail address of the one who paid; null while none is known. */
export function buyerOf(ledger: PaymentLedger, { paid: { email, customerId } }: Purchase): string | null {
  return email?.value ?? (customerId === null ? null : (ledger.customers[customerId.value]?.value ?? null));
}
