import type { PaymentRecord } from './apply-payment.js';

/** When money last went back to the buyer, or was disputed; null when none did. Pure. */
export function takenBackAt({ payments, charges, disputes }: PaymentRecord): string | null {
  const refunds = payments.flatMap(({ refundedAt, refunds: parts }) => [
    ...(refundedAt === null ? [] : [refundedAt]),
    ...Object.values(parts).map(({ at }) => at),
  ]);
  const sums = charges.flatMap(({ takenBack }) => takenBack.map(({ at }) => at));
  return [...refunds, ...sums, ...Object.values(disputes).map(({ at }) => at)].toSorted().at(-1) ?? null;
}
