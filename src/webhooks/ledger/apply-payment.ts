import { HOUR_MS } from '../../common/system/index.js';
import type { Money, PaymentFact } from '../../payments/index.js';
import {
  earlier,
  isOfSubscription,
  isTakenBack,
  joinPayments,
  later,
  NO_PAYMENT,
  paidTimeOf,
  paymentsIn,
  periodsOf,
  type PaidPeriod,
  type PaidTime,
  type Payment,
  type PurchaseFact,
} from './paid-periods.js';
import { chargesIn, joinCharges, type Charge } from './charges.js';
import { datedItems, itemHistory, itemsOf, productOf, type Bought } from './bought-items.js';
import { changedAt, joinById, mergeDated, newerOf, plusDays, sooner, textOf, timeOf, type Dated } from './dated.js';

/** The states of a subscription that continues: of two in the same second, the later one in this list wins. */
const SUBSCRIPTION_STATES = ['active', 'uncollected', 'past_due', 'ending', 'paused'] as const;
const DISPUTES = ['won', 'open', 'lost'] as const;
type DisputeState = (typeof DISPUTES)[number];

/** The state of a subscription, and when it ends if it was cancelled. */
interface SubscriptionState {
  readonly state: (typeof SUBSCRIPTION_STATES)[number];
  readonly endsAt: string | null;
}

/** A period that a processor reports as active or as a trial; null where it does not name the time. */
interface Period {
  readonly start: string | null;
  readonly end: string | null;
  /** The period of each item, as in a payment; absent from records of an earlier version. */
  readonly periods?: Payment['periods'];
}

/**
 * Everything that a processor has said about the payments of one purchase, with times in ISO 8601. Records are joined with the same result in
 * any order and any number of times, so late, repeated and reordered notifications do no harm.
 */
export interface PaymentRecord extends Bought {
  /** The earliest purchase; null while there is none, and no license is owed. */
  readonly purchasedAt: string | null;
  /** The earliest payment for a further period: without `purchasedAt`, of a subscription that began before its processor was connected. */
  readonly renewedAt: string | null;
  /** The license that it upgrades, by the seller's word at checkout. */
  readonly licenseId: Dated<string> | null;
  readonly claimToken: Dated<string> | null;
  readonly email: Dated<string> | null;
  /** The name of the one who paid. */
  readonly buyerName: Dated<string> | null;
  /** For whom it is bought, where that is another person: the license is theirs. */
  readonly recipient: Dated<string> | null;
  readonly customerId: Dated<string> | null;
  /** The processor's page of the last payment. */
  readonly receiptUrl: Dated<string> | null;
  /** The processor's page where the buyer manages the subscription. */
  readonly portalUrl: Dated<string> | null;
  /** The last payment. */
  readonly money: Dated<Money> | null;
  /** The money of each payment. */
  readonly charges: readonly Charge[];
  readonly country: Dated<string> | null;
  readonly productName: Dated<string> | null;
  /** The end of the current period, paid or not. */
  readonly periodEnd: Dated<string> | null;
  readonly subscription: Dated<SubscriptionState> | null;
  /** The last report that the subscription is over, with its end. */
  readonly over: Dated<string | null> | null;
  /** The last report that the subscription is in good standing, with its period. */
  readonly standing: Dated<Period> | null;
  /** When payments failed or access stopped, in order. */
  readonly failures: readonly string[];
  /** The whole purchase was refunded. Never becomes false again. */
  readonly isRefunded: boolean;
  readonly disputes: Readonly<Record<string, Dated<DisputeState>>>;
}

/** A purchase about which nothing is known. */
export const NO_PAYMENTS: PaymentRecord = {
  purchasedAt: null,
  renewedAt: null,
  planIds: {},
  licenseId: null,
  claimToken: null,
  items: {},
  charged: {},
  offerId: null,
  email: null,
  buyerName: null,
  recipient: null,
  customerId: null,
  receiptUrl: null,
  portalUrl: null,
  money: null,
  charges: [],
  country: null,
  productName: null,
  payments: [],
  isSubscription: false,
  periodEnd: null,
  subscription: null,
  over: null,
  standing: null,
  failures: [],
  isRefunded: false,
  disputes: {},
};

/** Reads a stored record: those written by an earlier version lack the newer members, and kept the end of a subscription among its states. */
export function readRecord(stored: Partial<PaymentRecord>): PaymentRecord {
  const { subscription } = stored;
  const isOver = (subscription?.value.state as string | undefined) === 'over';
  return {
    ...NO_PAYMENTS,
    ...stored,
    payments: (stored.payments ?? []).map((payment) => ({ ...NO_PAYMENT, ...payment })),
    ...(isOver && subscription != null
      ? { subscription: null, over: { at: subscription.at, value: subscription.value.endsAt } }
      : {}),
  };
}

/** The part of a purchase that a license is for. */
export interface BoughtPart {
  /** It was sold once to a subscriber, and lasts even if the subscription ends. */
  readonly isOnce: boolean;
  /** The most general ids of its products; empty where that is not known. */
  readonly products: readonly string[];
}

const WHOLE: BoughtPart = { isOnce: false, products: [] };

/** Entitlement of a license by its payments. */
export interface Entitlement {
  /** A license is owed; nothing else counts until then. */
  readonly isBought: boolean;
  /** Final. */
  readonly revokedFor: 'refund' | 'dispute' | null;
  readonly suspendedFor: readonly ('dispute' | 'payment')[];
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** A payment is expected at its end. */
  readonly renews: boolean;
}

/** Reports of one period may differ by this much, and its payment is tried this soon after it began. */
const SAME_PERIOD_MS = HOUR_MS;

/**
 * Applies one fact to a record. Pure.
 * @returns what changes; empty when the fact adds nothing
 */
export function applyPayment(record: PaymentRecord, fact: PaymentFact): Partial<PaymentRecord> {
  if (fact.kind === 'customer_seen') return {};
  return differenceOf(record, joinPaid(record, recordOf(fact)));
}

/** Joins two records of the same purchase. */
export function joinPaid(one: PaymentRecord, other: PaymentRecord): PaymentRecord {
  return {
    purchasedAt: earlier(one.purchasedAt, other.purchasedAt),
    renewedAt: earlier(one.renewedAt, other.renewedAt),
    planIds: mergeDated(one.planIds, other.planIds),
    licenseId: newerOf(one.licenseId, other.licenseId),
    claimToken: newerOf(one.claimToken, other.claimToken),
    items: mergeDated(one.items, other.items),
    charged: mergeDated(one.charged, other.charged),
    offerId: newerOf(one.offerId, other.offerId),
    email: newerOf(one.email, other.email),
    buyerName: newerOf(one.buyerName, other.buyerName),
    recipient: newerOf(one.recipient, other.recipient),
    customerId: newerOf(one.customerId, other.customerId),
    receiptUrl: newerOf(one.receiptUrl, other.receiptUrl),
    portalUrl: newerOf(one.portalUrl, other.portalUrl),
    money: newerOf(one.money, other.money),
    charges: joinCharges(one.charges, other.charges),
    country: newerOf(one.country, other.country),
    productName: newerOf(one.productName, other.productName),
    payments: joinPayments(one.payments, other.payments),
    isSubscription: one.isSubscription || other.isSubscription,
    periodEnd: newerOf(one.periodEnd, other.periodEnd),
    subscription: newerOf(one.subscription, other.subscription, ({ state }) => SUBSCRIPTION_STATES.indexOf(state)),
    over: newerOf(one.over, other.over),
    standing: newerOf(one.standing, other.standing),
    failures: [...new Set([...one.failures, ...other.failures])].toSorted(),
    isRefunded: one.isRefunded || other.isRefunded,
    disputes: joinById(one.disputes, other.disputes, joinDispute),
  };
}

/**
 * Computes the entitlement of a license by its payments, apart from the tenant's own suspension and revocation. Pure.
 * @param dunningGraceDays how long a license lasts past its paid period after a failed payment
 */
export function entitlementOf(whole: PaymentRecord, dunningGraceDays: number, part = WHOLE): Entitlement {
  const { isOnce } = part;
  const record = recordFor(whole, part);
  const isOpen = Object.values(record.disputes).some(({ value }) => value === 'open');
  const isPaused = !isOnce && overAt(record) === null && record.subscription?.value.state === 'paused';
  const revokedFor = revocationsBy(record)[0]?.cause ?? null;
  return {
    isBought: record.purchasedAt !== null,
    revokedFor,
    suspendedFor: [...(isOpen ? (['dispute'] as const) : []), ...(isPaused ? (['payment'] as const) : [])],
    expiresAt: isOnce ? null : expiryOf(record, dunningGraceDays),
    renews: !isOnce && revokedFor === null && isRenewing(record),
  };
}

/** Whether the processor is about to take a further payment: none has failed or is back with the buyer, and the subscription goes on. */
function isRenewing(record: PaymentRecord): boolean {
  const isActive = (record.subscription?.value.state ?? 'active') === 'active' && overAt(record) === null;
  return record.isSubscription && isActive && !paidTimeOf(record.payments).isTakenBack;
}

/**
 * Narrows a record to one part of its purchase: each item of a subscription may have a period of its own. A payment that names
 * neither the part nor another item of today is for the part as well, since it paid for an item that became one of these. Pure.
 */
export function recordFor(record: PaymentRecord, { products }: BoughtPart): PaymentRecord {
  const others = itemsOf(record)
    .map(productOf)
    .filter((product) => !products.includes(product));
  if (products.length === 0 || others.length === 0) return record;
  const ownIn = (periods: Payment['periods'], whole: PaidPeriod): PaidPeriod => {
    const own = products.flatMap((product) => (Object.hasOwn(periods, product) ? [periods[product] ?? whole] : []));
    const isOfOthers =
      Object.keys(periods).length > 0 && Object.keys(periods).every((product) => others.includes(product));
    if (own.length === 0) return isOfOthers ? { from: null, until: null } : whole;
    return own.reduce((one, other) => ({ from: earlier(one.from, other.from), until: later(one.until, other.until) }));
  };
  const { standing } = record;
  const period = standing === null ? null : { from: standing.value.start, until: standing.value.end };
  const { from, until } = period === null ? { from: null, until: null } : ownIn(standing?.value.periods ?? {}, period);
  return {
    ...record,
    payments: record.payments.map((payment) => ({ ...payment, ...ownIn(payment.periods, payment) })),
    standing: standing === null ? null : { ...standing, value: { start: from, end: until } },
  };
}

/** When a subscription was reported as over; null while it is not, also when its processor has brought it back. Pure. */
export function overAt({ over, standing }: PaymentRecord): string | null {
  return over === null || (standing !== null && standing.at > over.at) ? null : over.at;
}

/**
 * Why payments revoke a license now for which they did not before; null when nothing is new. What a tenant overruled revokes the license only
 * once, however often it is reported. Pure.
 */
export function newRevocation(before: PaymentRecord, after: PaymentRecord): Entitlement['revokedFor'] {
  const earlierRefs = new Set(revocationsBy(before).flatMap(({ refs }) => refs));
  return revocationsBy(after).find(({ refs }) => !refs.some((ref) => earlierRefs.has(ref)))?.cause ?? null;
}

/** Everything that revokes a license, with its ids: a refund of what is sold once, since that of a subscription ends one period; a lost dispute. */
function revocationsBy({ isRefunded, isSubscription, payments, disputes }: PaymentRecord) {
  const refunds = isSubscription ? [] : payments.filter(isTakenBack);
  const lost = Object.entries(disputes).filter(([, { value }]) => value === 'lost');
  return [
    ...(isRefunded ? [{ cause: 'refund' as const, refs: ['purchase'] }] : []),
    ...refunds.map(({ refs }) => ({ cause: 'refund' as const, refs })),
    ...lost.map(([id]) => ({ cause: 'dispute' as const, refs: [`dispute:${id}`] })),
  ];
}

function expiryOf(record: PaymentRecord, dunningGraceDays: number): Date | null {
  const { subscription, over } = record;
  const paid = paidTimeOf(record.payments.filter((payment) => !isCredited(payment, record)));
  const end = timeOf(endOf(record, paid));
  if (overAt(record) !== null) return sooner(timeOf(over?.value ?? null), end);
  const { state, endsAt } = subscription?.value ?? { state: 'active', endsAt: null };
  switch (state) {
    case 'uncollected':
      return null;
    case 'ending':
      return paid.isTakenBack ? sooner(timeOf(endsAt), end) : (timeOf(endsAt) ?? end);
    case 'past_due':
      // No payment is expected for a refunded period.
      return plusDays(sooner(end, timeOf(unpaidChangeAt(record))), paid.isTakenBack ? 0 : dunningGraceDays);
    case 'active':
    case 'paused':
      return end;
  }
}

/** Until when access is paid or given. */
function endOf(record: PaymentRecord, { until, last, isTakenBack: isRefunded }: PaidTime): string | null {
  const end = later(until, givenUntil(record, isRefunded ? last : null));
  // When everything is refunded, or no payment names its period.
  return end ?? (isRefunded ? record.purchasedAt : (record.periodEnd?.value ?? null));
}

/**
 * Whether a period that was paid has ended early, because another began within it: of a shorter or longer interval, or at another price. The
 * processor credits the rest of it to the new one.
 */
function isCredited({ from, until }: Payment, { standing }: PaymentRecord): boolean {
  const start = standing?.value.start ?? null;
  if (start === null || from === null || until === null) return false;
  return isWellBefore(from, start) && isWellBefore(start, until);
}

/** When the payment for a change of the items failed, that none has made good; null when there is no such change. */
function unpaidChangeAt(record: PaymentRecord): string | null {
  const before = changedAt(itemHistory(record).items);
  if (before === null || record.payments.some(({ from, until }) => until !== null && (from === null || from > before)))
    return null;
  return record.failures.find((at) => at > before && at >= (record.standing?.at ?? '')) ?? null;
}

const isWellBefore = (one: string, other: string): boolean => Date.parse(one) + SAME_PERIOD_MS < Date.parse(other);

/**
 * Until when access is given by the processor's word that a period is active or a trial, without a payment for it: sellers extend trials and move
 * billing dates. A period whose payment then failed counts to its begin. Null when nothing is given.
 * @param refundedUntil the end of the last period when its payment was refunded, which takes the word back
 */
function givenUntil({ standing, failures }: PaymentRecord, refundedUntil: string | null): string | null {
  const { start, end } = standing?.value ?? { start: null, end: null };
  if (standing === null || end === null) return null;
  if (refundedUntil !== null && Date.parse(end) <= Date.parse(refundedUntil) + SAME_PERIOD_MS) return null;
  const failedAt = failures.find((at) => at >= standing.at);
  return failedAt === undefined || Date.parse(end) <= Date.parse(failedAt) + SAME_PERIOD_MS ? end : start;
}

/** The ids, items and payments of a fact, whatever its kind. */
function commonOf(fact: PurchaseFact, at: string): PaymentRecord {
  const dated = <T>(value: T | null): Dated<T> | null => (value === null ? null : { at, value });
  return {
    ...NO_PAYMENTS,
    planIds: fact.planId === null ? {} : { [fact.planId]: at },
    licenseId: dated(fact.licenseId),
    claimToken: dated(fact.claimToken),
    items: datedItems(fact.items, at),
    charged: datedItems(isOfSubscription(fact) ? fact.charged.filter(({ isOnce }) => !isOnce) : fact.charged, at),
    offerId: dated(fact.offerId),
    email: dated(fact.email),
    buyerName: dated(fact.buyerName),
    recipient: dated(fact.recipient),
    customerId: dated(fact.customerId),
    receiptUrl: dated(fact.receiptUrl),
    portalUrl: dated(fact.portalUrl),
    money: dated(fact.money),
    charges: chargesIn(fact),
    country: dated(fact.country),
    productName: dated(fact.productName),
    payments: paymentsIn(fact),
    isSubscription:
      !['refunded', 'refund'].includes(fact.kind) && fact.refs.some((ref) => ref.startsWith('subscription:')),
  };
}

/** The record of one fact alone. */
function recordOf(fact: PurchaseFact): PaymentRecord {
  const at = fact.at.toISOString();
  const common = commonOf(fact, at);
  const periodEnd = textOf(fact.periodEnd);
  const inState = (state: SubscriptionState['state'], endsAt: Date | null = null): PaymentRecord => ({
    ...common,
    periodEnd: periodEnd === null ? null : { at, value: periodEnd },
    subscription: { at, value: { state, endsAt: textOf(endsAt) } },
  });
  const standing = { at, value: { start: textOf(fact.periodStart), end: periodEnd, periods: periodsOf(fact) } };
  const dispute = (id: string, value: DisputeState): PaymentRecord => ({
    ...common,
    disputes: { [id]: { at, value } },
  });
  switch (fact.kind) {
    case 'purchased':
      return { ...inState('active'), purchasedAt: at };
    case 'renewed':
      return { ...inState('active'), renewedAt: at };
    case 'sold_once':
      return { ...common, renewedAt: at };
    case 'resumed':
      return { ...inState('active'), standing };
    case 'uncollected':
      return { ...inState(fact.kind), standing };
    case 'past_due':
    case 'paused':
      return { ...inState(fact.kind), failures: [at] };
    case 'cancelled':
      return fact.isOver
        ? { ...common, over: { at, value: textOf(fact.endsAt) } }
        : { ...inState('ending', fact.endsAt), standing };
    case 'refunded':
      return { ...common, isRefunded: fact.paymentRefs.length === 0 };
    case 'disputed':
      return dispute(fact.disputeId, 'open');
    case 'dispute_closed':
      return dispute(fact.disputeId, fact.isWon ? 'won' : 'lost');
    case 'linked':
    case 'refund':
      return common;
  }
}

/** A lost dispute stays lost, whatever comes later. */
function joinDispute(one: Dated<DisputeState> | null, other: Dated<DisputeState> | null): Dated<DisputeState> | null {
  const lost = [one, other].filter((each) => each?.value === 'lost');
  if (lost.length === 1) return lost[0] ?? null;
  return newerOf(one, other, (value) => DISPUTES.indexOf(value));
}

function differenceOf(before: PaymentRecord, after: PaymentRecord): Partial<PaymentRecord> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PaymentRecord]),
  );
  return Object.fromEntries(changed);
}
