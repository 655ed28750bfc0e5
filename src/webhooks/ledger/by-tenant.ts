import { joinPaid, NO_PAYMENTS, type PaymentRecord } from './apply-payment.js';
import { mergeDated, textOf } from './dated.js';
import { NO_PAYMENT } from './paid-periods.js';

/**
 * The record of a purchase whose license was imported: its period counts as reported at the import, since the processor may never name the
 * payment for it again. Pure.
 */
export function withImported(
  paid: PaymentRecord,
  license: { readonly planId: string; readonly createdAt: Date; readonly expiresAt: Date | null },
): PaymentRecord {
  const at = license.createdAt.toISOString();
  const until = textOf(license.expiresAt);
  const period = until === null ? [] : [{ ...NO_PAYMENT, refs: [`until:${until}`], until, madeAt: at }];
  return joinPaid(paid, { ...NO_PAYMENTS, purchasedAt: at, planIds: { [license.planId]: at }, payments: period });
}

/** The record of a purchase that its tenant wants to have a license, of a named plan or of the one that lists it. Pure. */
export const wanted = (paid: PaymentRecord, planId: string | null, now: Date): PaymentRecord => ({
  ...paid,
  purchasedAt: paid.purchasedAt ?? paid.renewedAt,
  planIds: planId === null ? paid.planIds : mergeDated(paid.planIds, { [planId]: now.toISOString() }),
});

/** The members of a record that are cleared when its buyer is erased. */
export const ERASED = {
  email: null,
  buyerName: null,
  recipient: null,
  receiptUrl: null,
  portalUrl: null,
} satisfies Partial<PaymentRecord>;
