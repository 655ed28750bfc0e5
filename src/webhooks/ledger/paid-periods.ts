import { MINUTE_MS } from '../../common/system/index.js';
import type { PaymentFact } from '../../payments/index.js';

/** A fact about a purchase. */
export type PurchaseFact = Exclude<PaymentFact, { readonly kind: 'customer_seen' }>;

/** One payment with all its ids, and times in ISO 8601. */
export interface Payment {
  /** Sorted, at least one. */
  readonly refs: readonly string[];
  /** The end of the period that it paid for; null while that is unknown, and for what is sold once. */
  readonly until: string | null;
  /** When it was made, where the processor names no period; when its period was first reported, where the processor names no payment. */
  readonly madeAt: string | null;
  /** Never becomes false again. */
  readonly isRefunded: boolean;
}

/** How long a purchase is paid for. */
export interface PaidTime {
  /** The end of the last period that is paid and not refunded; null when there is none. */
  readonly until: string | null;
  /** The last period that was ever paid for has been refunded. */
  readonly isTakenBack: boolean;
}

/** A processor dates what it records of one charge (order, invoice, subscription) at most this far apart. */
const SAME_CHARGE_MS = 5 * MINUTE_MS;

/** The payments of a fact. Pure. */
export function paymentsIn(fact: PurchaseFact): readonly Payment[] {
  const isMoney = fact.kind === 'purchased' || fact.kind === 'renewed';
  // A period in which access is given without payment counts like a paid one once collection resumes.
  const until = isMoney || fact.kind === 'uncollected' ? (fact.periodEnd?.toISOString() ?? null) : null;
  const isNamed = isMoney || fact.kind === 'refunded' || fact.kind === 'linked';
  const named = isNamed ? fact.paymentRefs : [];
  const refs = named.length > 0 || until === null ? named : [`until:${until}`];
  if (refs.length === 0) return [];
  const madeAt = (named.length > 0 ? fact.paymentMadeAt : fact.at)?.toISOString() ?? null;
  return [{ refs: [...new Set(refs)].toSorted(), until, madeAt, isRefunded: fact.kind === 'refunded' }];
}

/** Joins payments that share an id, with the same result in any order and with repetitions. Pure. */
export function joinPayments(one: readonly Payment[], other: readonly Payment[]): readonly Payment[] {
  return [...one, ...other]
    .reduce<readonly Payment[]>((joined, payment) => {
      const same = joined.filter(({ refs }) => refs.some((ref) => payment.refs.includes(ref)));
      return [...joined.filter((each) => !same.includes(each)), same.reduce(joinPayment, payment)];
    }, [])
    .toSorted((left, right) => (String(left.refs[0]) < String(right.refs[0]) ? -1 : 1));
}

/** How long payments last, without the refunded ones. Pure. */
export function paidTimeOf(payments: readonly Payment[]): PaidTime {
  const endsOf = (some: readonly Payment[]) => some.flatMap(({ until }) => until ?? []).toSorted();
  const isRefunded = (payment: Payment): boolean =>
    payment.isRefunded || chargesFor(payment, payments).some((charge) => charge.isRefunded);
  const until = endsOf(payments.filter((payment) => !isRefunded(payment))).at(-1) ?? null;
  const last = endsOf(payments).at(-1) ?? null;
  return { until, isTakenBack: until !== last && payments.some((payment) => payment.isRefunded) };
}

/**
 * The payments for a period that was reported without one: those that name its end, and the last made before that report. A later report may
 * move the end of the same period, and a change of plan pays for another end.
 */
function chargesFor({ refs, until, madeAt: reportedAt }: Payment, payments: readonly Payment[]): readonly Payment[] {
  if (reportedAt === null || !refs.includes(`until:${until}`)) return [];
  const charges = payments.filter((payment) => payment.until === null && payment.madeAt !== null);
  const times = charges.map(({ madeAt }) => Date.parse(String(madeAt)));
  const before = times.filter((time) => time <= Date.parse(reportedAt) + SAME_CHARGE_MS);
  const last = before.length > 0 ? Math.max(...before) : Math.min(...times);
  const named = payments.filter((payment) => payment.until === until);
  return [...named, ...charges.filter((_, index) => Math.abs((times[index] ?? 0) - last) <= SAME_CHARGE_MS)];
}

const joinPayment = (one: Payment, other: Payment): Payment => ({
  refs: [...new Set([...one.refs, ...other.refs])].toSorted(),
  until: later(one.until, other.until),
  madeAt: earlier(one.madeAt, other.madeAt),
  isRefunded: one.isRefunded || other.isRefunded,
});

/** ISO 8601 in UTC with a fixed number of digits sorts by time. */
export function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
