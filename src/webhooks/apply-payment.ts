import type { PaymentFact } from '../payments/index.js';

/** A value with the processor's time of the event that said it, ISO 8601 in UTC, so that the newer one holds whichever arrived first. */
export interface Said<T> {
  readonly at: string;
  readonly value: T;
}

/** How a subscription stands, in the order in which one holds over another that was said in the same second. */
const STANDINGS = ['active', 'past_due', 'ending', 'paused', 'over'] as const;
const DISPUTES = ['won', 'open', 'lost'] as const;

/** The state of a subscription, and when it ends if it was given up. */
interface Standing {
  readonly state: (typeof STANDINGS)[number];
  readonly endsAt: string | null;
}

/**
 * All that payments have said of one license, times in ISO 8601. Two of these join into one, in any order and as often as one likes, with the
 * same outcome: that is what makes late, doubled and swapped notifications harmless.
 */
export interface PaidLicense {
  /** The earliest purchase; null as long as there is none, and no license is owed. */
  readonly purchasedAt: string | null;
  readonly planId: Said<string> | null;
  /** Absent from what was kept before there were such tokens. */
  readonly claimToken?: Said<string> | null;
  readonly productIds: Said<readonly string[]> | null;
  readonly offerId: Said<string> | null;
  readonly email: Said<string> | null;
  readonly customerId: Said<string> | null;
  /** The furthest moment that was paid for; null when no payment named one. */
  readonly paidUntil: string | null;
  /** The end of the running period, paid or not. */
  readonly periodEnd: Said<string> | null;
  readonly standing: Said<Standing> | null;
  /** Once true, never false again. */
  readonly isRefunded: boolean;
  readonly isDisputeLost: boolean;
  readonly disputes: Readonly<Record<string, Said<(typeof DISPUTES)[number]>>>;
}

/** Nothing was said yet. */
export const UNPAID: PaidLicense = {
  purchasedAt: null,
  planId: null,
  claimToken: null,
  productIds: null,
  offerId: null,
  email: null,
  customerId: null,
  paidUntil: null,
  periodEnd: null,
  standing: null,
  isRefunded: false,
  isDisputeLost: false,
  disputes: {},
};

/** What payments make of a license. */
export interface Entitlement {
  /** A license is owed; until then nothing else counts. */
  readonly isBought: boolean;
  /** Final. */
  readonly revokedFor: 'refund' | 'dispute' | null;
  readonly suspendedFor: readonly ('dispute' | 'payment')[];
  /** Null: never. */
  readonly expiresAt: Date | null;
}

const DAY_MS = 86_400_000;
/** A running period that ends this much later than what was paid for is a new one. */
const NEW_PERIOD_MS = 3_600_000;

/**
 * Applies one fact to what is known of a license; pure.
 * @returns what changes, empty when the fact says nothing new
 */
export function applyPayment(license: PaidLicense, fact: PaymentFact): Partial<PaidLicense> {
  if (fact.kind === 'customer_seen') return {};
  return differenceOf(license, joinPaid(license, paidBy(fact)));
}

/** What two halves of the same purchase know together. */
export function joinPaid(one: PaidLicense, other: PaidLicense): PaidLicense {
  return {
    purchasedAt: earlier(one.purchasedAt, other.purchasedAt),
    planId: newer(one.planId, other.planId),
    claimToken: newer(one.claimToken ?? null, other.claimToken ?? null),
    productIds: newer(one.productIds, other.productIds),
    offerId: newer(one.offerId, other.offerId),
    email: newer(one.email, other.email),
    customerId: newer(one.customerId, other.customerId),
    paidUntil: later(one.paidUntil, other.paidUntil),
    periodEnd: newer(one.periodEnd, other.periodEnd),
    standing: newer(one.standing, other.standing, ({ state }) => STANDINGS.indexOf(state)),
    isRefunded: one.isRefunded || other.isRefunded,
    isDisputeLost: one.isDisputeLost || other.isDisputeLost,
    disputes: joinDisputes(one.disputes, other.disputes),
  };
}

/**
 * What a license is entitled to by its payments; pure. The tenant's own suspension and revocation stand beside it, untouched.
 * @param graceDays how long a failed payment keeps the license past the paid period
 */
export function entitlementOf(license: PaidLicense, graceDays: number): Entitlement {
  const isOpen = Object.values(license.disputes).some(({ value }) => value === 'open');
  const isPaused = license.standing?.value.state === 'paused';
  return {
    isBought: license.purchasedAt !== null,
    revokedFor: license.isRefunded ? 'refund' : license.isDisputeLost ? 'dispute' : null,
    suspendedFor: [...(isOpen ? (['dispute'] as const) : []), ...(isPaused ? (['payment'] as const) : [])],
    expiresAt: expiryOf(license, graceDays),
  };
}

/** What a plan's product list is asked for, the most telling first. */
export function productsOf({ productIds, offerId }: PaidLicense): readonly string[] {
  return [...(productIds?.value ?? []), ...(offerId === null ? [] : [offerId.value])];
}

function expiryOf({ paidUntil, periodEnd, standing }: PaidLicense, graceDays: number): Date | null {
  const end = timeOf(paidUntil ?? periodEnd?.value ?? null);
  const { state, endsAt } = standing?.value ?? { state: 'active', endsAt: null };
  const endsOn = timeOf(endsAt);
  switch (state) {
    case 'over':
      return endsOn !== null && (end === null || endsOn < end) ? endsOn : end;
    case 'ending':
      return endsOn ?? end;
    case 'past_due':
      return plusDays(end, graceDays);
    case 'active':
    case 'paused':
      return plusDays(end, isRenewing(paidUntil, periodEnd) ? graceDays : 0);
  }
}

/** A new period has begun and its payment is on the way: processors take it an hour or more after the old one ended. */
function isRenewing(paidUntil: string | null, periodEnd: Said<string> | null): boolean {
  return (
    paidUntil !== null && periodEnd !== null && Date.parse(periodEnd.value) - Date.parse(paidUntil) > NEW_PERIOD_MS
  );
}

/** What one fact alone makes known. */
function paidBy(fact: Exclude<PaymentFact, { readonly kind: 'customer_seen' }>): PaidLicense {
  const at = fact.at.toISOString();
  const said = <T>(value: T | null): Said<T> | null => (value === null ? null : { at, value });
  const known: PaidLicense = {
    ...UNPAID,
    planId: said(fact.planId),
    claimToken: said(fact.claimToken),
    productIds: said(fact.productIds.length === 0 ? null : fact.productIds),
    offerId: said(fact.offerId),
    email: said(fact.email),
    customerId: said(fact.customerId),
  };
  const periodEnd = fact.periodEnd?.toISOString() ?? null;
  const standing = (state: Standing['state'], endsAt: Date | null = null): PaidLicense => ({
    ...known,
    periodEnd: said(periodEnd),
    standing: { at, value: { state, endsAt: endsAt?.toISOString() ?? null } },
  });
  const dispute = (id: string, value: (typeof DISPUTES)[number]): PaidLicense => ({
    ...known,
    disputes: { [id]: { at, value } },
    isDisputeLost: value === 'lost',
  });
  switch (fact.kind) {
    case 'purchased':
      return { ...standing('active'), purchasedAt: at, paidUntil: periodEnd };
    case 'renewed':
      return { ...standing('active'), paidUntil: periodEnd };
    case 'past_due':
      return standing('past_due');
    case 'paused':
      return standing('paused');
    case 'resumed':
      return standing('active');
    case 'cancelled':
      return standing(fact.isOver ? 'over' : 'ending', fact.endsAt);
    case 'refunded':
      return { ...known, isRefunded: true };
    case 'disputed':
      return dispute(fact.disputeId, 'open');
    case 'dispute_closed':
      return dispute(fact.disputeId, fact.isWon ? 'won' : 'lost');
    case 'linked':
      return known;
  }
}

/** The newer of two; of one second, the weightier; of one weight, the one whose text sorts last, so that order never decides. */
export function newer<T>(
  one: Said<T> | null,
  other: Said<T> | null,
  weightOf: (value: T) => number = () => 0,
): Said<T> | null {
  if (one === null || other === null) return one ?? other;
  if (one.at !== other.at) return one.at > other.at ? one : other;
  const heavier = weightOf(one.value) - weightOf(other.value);
  if (heavier !== 0) return heavier > 0 ? one : other;
  return JSON.stringify(one.value) >= JSON.stringify(other.value) ? one : other;
}

function joinDisputes(one: PaidLicense['disputes'], other: PaidLicense['disputes']): PaidLicense['disputes'] {
  const ids = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  const weightOf = (value: (typeof DISPUTES)[number]): number => DISPUTES.indexOf(value);
  return Object.fromEntries(
    ids.flatMap((id) => {
      const joined = newer(one[id] ?? null, other[id] ?? null, weightOf);
      return joined === null ? [] : [[id, joined]];
    }),
  );
}

function differenceOf(before: PaidLicense, after: PaidLicense): Partial<PaidLicense> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PaidLicense]),
  );
  return Object.fromEntries(changed);
}

function plusDays(time: Date | null, days: number): Date | null {
  return time === null ? null : new Date(time.getTime() + days * DAY_MS);
}

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** ISO 8601 in UTC with one number of digits sorts as text as it does in time. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
