import { MINUTE_MS } from '../../common/system/index.js';
import type { Item, PaymentFact, Refund, SoldLine } from '../../payments/index.js';
import { joinById, newerOf, textOf, type Dated } from './dated.js';

/** A fact about a purchase. */
export type PurchaseFact = Exclude<PaymentFact, { readonly kind: 'customer_seen' }>;

/** A period that is paid for or given, in ISO 8601. */
export interface PaidPeriod {
  readonly from: string | null;
  readonly until: string | null;
}

/** One payment with all its ids, and times in ISO 8601. */
export interface Payment {
  /** Sorted, at least one. */
  readonly refs: readonly string[];
  /** The end of the period that it paid for; null while that is unknown, and for what is sold once. */
  readonly until: string | null;
  /** The begin of that period, where the processor names it. */
  readonly from: string | null;
  /** The period of each item, by the most general id of its product, where each may have its own. */
  readonly periods: Readonly<Record<string, PaidPeriod>>;
  /** When it was made, where the processor names no period; when its period was first reported, where the processor names no payment. */
  readonly madeAt: string | null;
  /** It was refunded as a whole, at `refundedAt` for the last time; each stays as it is once it is set. */
  readonly isRefunded: boolean;
  readonly refundedAt: string | null;
  /** In the smallest unit of its currency; null while that is unknown. */
  readonly total: number | null;
  /** Bought items that do not renew with the subscription, by the most specific id of the product. */
  readonly once: Readonly<Record<string, Item>>;
  /** Lines of the payment, by the processor's id. */
  readonly lines: Readonly<Record<string, SoldLine>>;
  /** Its refunds, by the processor's id of the refund. */
  readonly refunds: Readonly<Record<string, Dated<Refund>>>;
}

/** A payment of which nothing is known. */
export const NO_PAYMENT: Omit<Payment, 'refs'> = {
  until: null,
  from: null,
  periods: {},
  madeAt: null,
  isRefunded: false,
  refundedAt: null,
  total: null,
  once: {},
  lines: {},
  refunds: {},
};

/** Paid time of a purchase. */
export interface PaidTime {
  /** The end of the last period that is paid and not refunded; null when there is none. */
  readonly until: string | null;
  /** The end of the last period that was ever paid. */
  readonly last: string | null;
  /** The last period that was ever paid for has been refunded. */
  readonly isTakenBack: boolean;
}

/** A processor dates what it records of one charge (order, invoice, subscription) at most this far apart. */
const SAME_CHARGE_MS = 5 * MINUTE_MS;

/** The payments of a fact. Pure. */
export function paymentsIn(fact: PurchaseFact): readonly Payment[] {
  const isMoney = fact.kind === 'purchased' || fact.kind === 'renewed';
  // A period in which access is given without payment counts like a paid one once collection resumes.
  const until = isMoney || fact.kind === 'uncollected' ? textOf(fact.periodEnd) : null;
  const isNamed = isMoney || ['sold_once', 'refunded', 'refund', 'linked'].includes(fact.kind);
  const named = isNamed ? fact.paymentRefs : [];
  const refs = named.length > 0 || until === null ? named : [`until:${until}`];
  if (refs.length === 0) return [];
  const madeAt = textOf(named.length > 0 ? fact.paymentMadeAt : fact.at);
  const at = fact.at.toISOString();
  const isRefunded = fact.kind === 'refunded';
  return [
    {
      refs: [...new Set(refs)].toSorted(),
      ...NO_PAYMENT,
      until,
      from: until === null ? null : textOf(fact.periodStart),
      periods: until === null ? {} : periodsOf(fact),
      madeAt,
      isRefunded,
      refundedAt: isRefunded ? at : null,
      total: fact.total,
      once: isOfSubscription(fact) ? byProduct(fact.charged.filter(({ isOnce }) => isOnce)) : {},
      lines: fact.lines,
      refunds: fact.kind === 'refund' ? { [fact.refundId]: { at, value: fact.refund } } : {},
    },
  ];
}

/** The period of each item of a fact. */
export const periodsOf = ({ periods }: PurchaseFact): Payment['periods'] =>
  Object.fromEntries(
    Object.entries(periods).map(([product, { start, end }]) => [product, { from: textOf(start), until: textOf(end) }]),
  );

/** Whether a fact is about a subscription, or about a sale that began one. */
export const isOfSubscription = ({ refs, charged }: PurchaseFact): boolean =>
  refs.some((ref) => ref.startsWith('subscription:')) ||
  (charged.some(({ isOnce }) => isOnce) && charged.some(({ isOnce }) => !isOnce));

const byProduct = (items: readonly Item[]): Payment['once'] =>
  Object.fromEntries(
    items.map(({ productIds, quantity, planId, isOnce }) => [
      productIds[0] ?? planId ?? '',
      { productIds, quantity, planId, isOnce },
    ]),
  );

/** Joins payments that share an id, with the same result in any order and with repetitions. Pure. */
export const joinPayments = (one: readonly Payment[], other: readonly Payment[]): readonly Payment[] =>
  joinSharing(one, other, joinPayment);

/** Joins what shares an id, in the order of the ids. */
export function joinSharing<T extends { readonly refs: readonly string[] }>(
  one: readonly T[],
  other: readonly T[],
  join: (one: T, other: T) => T,
): readonly T[] {
  return [...one, ...other]
    .reduce<readonly T[]>((joined, added) => {
      const same = joined.filter(({ refs }) => refs.some((ref) => added.refs.includes(ref)));
      return [...joined.filter((each) => !same.includes(each)), same.reduce(join, added)];
    }, [])
    .toSorted((left, right) => (String(left.refs[0]) < String(right.refs[0]) ? -1 : 1));
}

/** Computes the time that payments cover, without the refunded ones. Pure. */
export function paidTimeOf(payments: readonly Payment[]): PaidTime {
  const endsOf = (some: readonly Payment[]) => some.flatMap(({ until }) => until ?? []).toSorted();
  const isTaken = (payment: Payment): boolean =>
    isTakenBack(payment) || chargesFor(payment, payments).some((charge) => isTakenBack(charge));
  const until = endsOf(payments.filter((payment) => !isTaken(payment))).at(-1) ?? null;
  const last = endsOf(payments).at(-1) ?? null;
  return { until, last, isTakenBack: until !== last && payments.some(isTakenBack) };
}

/**
 * Whether a payment was refunded as a whole, or in parts that add up to it: all of its money is back with the buyer, and no refund was said to
 * leave access. A refund that failed later does not count. Pure.
 */
export function isTakenBack({ isRefunded, refundedAt, total, refunds }: Payment): boolean {
  const paidRefunds = Object.values(refunds).filter(({ value }) => value.isGiven);
  const failedAt = Object.values(refunds)
    .filter(({ value }) => !value.isGiven)
    .reduce<string | null>((last, { at }) => later(last, at), null);
  const isTold = isRefunded && (failedAt === null || failedAt < (refundedAt ?? ''));
  const sum = paidRefunds.reduce((all, { value }) => all + (value.amount ?? 0), 0);
  const isAll = isTold || (total !== null && total > 0 && sum >= total);
  const isLeft = paidRefunds.length > 0 && paidRefunds.every(({ value }) => value.leavesAccess);
  return isAll && !isLeft;
}

/** The products of a payment that were refunded separately, while others were not. Pure. */
export function refundedProducts({ lines, refunds }: Payment): readonly string[] {
  const paidRefunds = Object.values(refunds).filter(({ value }) => value.isGiven && !value.leavesAccess);
  return Object.entries(lines).flatMap(([line, { productId, total }]) => {
    const parts = paidRefunds.flatMap(({ value }) =>
      Object.hasOwn(value.lines, line) ? [value.lines[line] ?? null] : [],
    );
    const isFull =
      parts.includes(null) || (total > 0 && parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) >= total);
    return parts.length > 0 && isFull ? [productId] : [];
  });
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
  from: earlier(one.from, other.from),
  periods: joinPeriods(one.periods, other.periods),
  madeAt: earlier(one.madeAt, other.madeAt),
  isRefunded: one.isRefunded || other.isRefunded,
  refundedAt: later(one.refundedAt, other.refundedAt),
  total: Math.max(one.total ?? 0, other.total ?? 0) || null,
  once: joinOnce(one.once, other.once),
  lines: { ...one.lines, ...other.lines },
  refunds: joinById(one.refunds, other.refunds, joinRefund),
});

/** Joins as the period of the whole payment is joined. */
function joinPeriods(one: Payment['periods'], other: Payment['periods']): Payment['periods'] {
  const products = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  return Object.fromEntries(
    products.map((product) => {
      const [left, right] = [one[product], other[product]];
      const from = earlier(left?.from ?? null, right?.from ?? null);
      return [product, { from, until: later(left?.until ?? null, right?.until ?? null) }];
    }),
  );
}

/** Of two reports of one item, the larger quantity; of the same, the one whose JSON sorts last, so that order never decides. */
function joinOnce(one: Payment['once'], other: Payment['once']): Payment['once'] {
  const weightOf = (item: Item | undefined): string =>
    `${String(item?.quantity ?? 0).padStart(7, '0')}${JSON.stringify(item)}`;
  const joined = new Map(Object.entries(one));
  for (const [id, item] of Object.entries(other)) if (weightOf(item) > weightOf(joined.get(id))) joined.set(id, item);
  return Object.fromEntries([...joined].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Of two reports in the same second, the one that the refund failed is the later. */
const joinRefund = (one: Dated<Refund> | null, other: Dated<Refund> | null): Dated<Refund> | null =>
  newerOf(one, other, ({ isGiven }) => (isGiven ? 0 : 1));

/** ISO 8601 in UTC with a fixed number of digits sorts by time. */
export function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
