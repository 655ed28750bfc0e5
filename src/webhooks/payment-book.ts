import type { PaymentFact } from '../payments/index.js';
import { applyPayment, joinPaid, UNPAID, type PaidLicense } from './apply-payment.js';
import { newer, type Said } from './said.js';

/** One purchase under all the names that its processor has for it. */
export interface Purchase {
  /** The row's id; null when it has none yet. */
  readonly id: string | null;
  readonly refs: readonly string[];
  readonly paid: PaidLicense;
}

/** The purchases and customers that one notification is about, as far as they are known. */
export interface PaymentBook {
  readonly purchases: readonly Purchase[];
  /** E-mail addresses by the processor's customer id. */
  readonly customers: Readonly<Record<string, Said<string>>>;
}

/** Nothing was told yet. */
export const EMPTY_BOOK: PaymentBook = { purchases: [], customers: {} };

/**
 * Enters one fact; pure. Purchases that turn out to be one are joined under the first of their ids: a refund names a payment, and only
 * a later event may tell whose payment that was.
 */
export function enterFact(book: PaymentBook, fact: PaymentFact): PaymentBook {
  if (fact.kind === 'customer_seen') {
    const said = { at: fact.at.toISOString(), value: fact.email };
    const held = newer(book.customers[fact.customerId] ?? null, said) ?? said;
    return { ...book, customers: { ...book.customers, [fact.customerId]: held } };
  }
  const isMeant = ({ refs }: Purchase): boolean => refs.some((ref) => fact.refs.includes(ref));
  const meant = book.purchases.filter(isMeant);
  const paid = meant.reduce((known, one) => joinPaid(known, one.paid), UNPAID);
  const entered: Purchase = {
    id: meant.map(({ id }) => id).find((id) => id !== null) ?? null,
    refs: [...new Set([...meant.flatMap(({ refs }) => refs), ...fact.refs])].toSorted(),
    paid: { ...paid, ...applyPayment(paid, fact) },
  };
  return { ...book, purchases: [...book.purchases.filter((one) => !isMeant(one)), entered] };
}

/** Where the code of a purchase goes: what the purchase says, else what its customer is known by; null while neither is known. */
export function emailFor(book: PaymentBook, { paid }: Purchase): string | null {
  const { email, customerId } = paid;
  return email?.value ?? (customerId === null ? null : (book.customers[customerId.value]?.value ?? null));
}
