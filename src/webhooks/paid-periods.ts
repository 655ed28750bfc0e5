import type { PaymentFact } from '../payments/index.js';

/** What is said of a purchase. */
export type PurchaseFact = Exclude<PaymentFact, { readonly kind: 'customer_seen' }>;

/** One payment under all its names, times in ISO 8601. */
export interface Payment {
  /** Sorted, at least one. */
  readonly refs: readonly string[];
  /** The end of the period it paid for; null while nothing says so, and for what is sold once. */
  readonly until: string | null;
  /** When it was made, where the processor tells no period. */
  readonly madeAt: string | null;
  /** Once true, never false again. */
  readonly isRefunded: boolean;
}

/** Up to when a purchase is paid for. */
export interface PaidTime {
  /** The end of the last period that is paid and not refunded; null when there is none. */
  readonly until: string | null;
  /** The last period that was ever paid for has been refunded. */
  readonly isTakenBack: boolean;
}

/** A payment may be made this much before the period that it pays for begins; no processor sells a shorter period than a day. */
const EARLY_MS = 12 * 3_600_000;

/** What a fact says of payments; pure. */
export function paymentsIn(fact: PurchaseFact): readonly Payment[] {
  const isMoney = fact.kind === 'purchased' || fact.kind === 'renewed';
  // A period in which access is given without money counts like a paid one once collection goes on.
  const until = isMoney || fact.kind === 'uncollected' ? (fact.periodEnd?.toISOString() ?? null) : null;
  const isNamed = isMoney || fact.kind === 'refunded' || fact.kind === 'linked';
  const named = isNamed ? fact.paymentRefs : [];
  const refs = named.length > 0 || until === null ? named : [`until:${until}`];
  if (refs.length === 0) return [];
  const madeAt = fact.paymentMadeAt?.toISOString() ?? null;
  return [{ refs: [...new Set(refs)].toSorted(), until, madeAt, isRefunded: fact.kind === 'refunded' }];
}

/** Payments that share a name are one; pure, and the same in any order and with repetitions. */
export function joinPayments(one: readonly Payment[], other: readonly Payment[]): readonly Payment[] {
  return [...one, ...other]
    .reduce<readonly Payment[]>((joined, payment) => {
      const same = joined.filter(({ refs }) => refs.some((ref) => payment.refs.includes(ref)));
      return [...joined.filter((each) => !same.includes(each)), same.reduce(joinPayment, payment)];
    }, [])
    .toSorted((left, right) => (String(left.refs[0]) < String(right.refs[0]) ? -1 : 1));
}

/** Up to when payments last, refunds taken off; pure. */
export function paidTimeOf(payments: readonly Payment[]): PaidTime {
  const ends = payments.flatMap(({ until }) => until ?? []).toSorted();
  const refunded = payments.filter(({ isRefunded }) => isRefunded);
  const undated = new Set(
    refunded.map((payment) => (payment.until === null ? endOfPeriodOf(payment, ends) : undefined)),
  );
  const standing = payments.flatMap(({ refs, until, isRefunded }) =>
    // A period that no payment names is taken back by the refund of a payment that was made for it.
    until === null || isRefunded || (undated.has(until) && refs.includes(`until:${until}`)) ? [] : until,
  );
  const until = standing.toSorted().at(-1) ?? null;
  return { until, isTakenBack: refunded.length > 0 && until !== (ends.at(-1) ?? null) };
}

/** The first end that lies after a payment is that of its period. */
function endOfPeriodOf({ madeAt }: Payment, ends: readonly string[]): string | undefined {
  if (madeAt === null) return undefined;
  return ends.find((end) => Date.parse(end) - Date.parse(madeAt) > EARLY_MS);
}

const joinPayment = (one: Payment, other: Payment): Payment => ({
  refs: [...new Set([...one.refs, ...other.refs])].toSorted(),
  until: later(one.until, other.until),
  madeAt: earlier(one.madeAt, other.madeAt),
  isRefunded: one.isRefunded || other.isRefunded,
});

/** ISO 8601 in UTC with one number of digits sorts as text as it does in time. */
export function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
