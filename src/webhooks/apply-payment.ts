import type { Item, PaymentFact } from '../payments/index.js';
import { earlier, joinPayments, paidTimeOf, paymentsIn, type Payment, type PurchaseFact } from './paid-periods.js';
import { joinHeard, lastFirst, newer, type Heard, type Said } from './said.js';

/** How a subscription stands, in the order in which one holds over another that was said in the same second. */
const STANDINGS = ['active', 'uncollected', 'past_due', 'ending', 'paused', 'over'] as const;
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
  /** The plans that were named at checkout. */
  readonly planIds: Heard;
  /** Absent from what was kept before there were such tokens. */
  readonly claimToken?: Said<string> | null;
  /** What the subscription holds, each as JSON of its items. */
  readonly items: Heard;
  /** What payments were for, likewise. */
  readonly charged: Heard;
  readonly offerId: Said<string> | null;
  readonly email: Said<string> | null;
  readonly customerId: Said<string> | null;
  /** Every payment that was told of, with what it paid for. */
  readonly payments: readonly Payment[];
  /** It renews: a refund takes back the period that was paid, and not the purchase. */
  readonly isSubscription: boolean;
  /** The end of the running period, paid or not. */
  readonly periodEnd: Said<string> | null;
  readonly standing: Said<Standing> | null;
  /** The purchase as a whole was refunded. Once true, never false again. */
  readonly isRefunded: boolean;
  readonly isDisputeLost: boolean;
  readonly disputes: Readonly<Record<string, Said<(typeof DISPUTES)[number]>>>;
}

/** Nothing was said yet. */
export const UNPAID: PaidLicense = {
  purchasedAt: null,
  planIds: {},
  claimToken: null,
  items: {},
  charged: {},
  offerId: null,
  email: null,
  customerId: null,
  payments: [],
  isSubscription: false,
  periodEnd: null,
  standing: null,
  isRefunded: false,
  isDisputeLost: false,
  disputes: {},
};

/** What the first version kept: the furthest paid moment, and the plan and products that were said last. */
interface FirstPaid {
  readonly paidUntil?: string | null;
  readonly planId?: Said<string> | null;
  readonly productIds?: Said<readonly string[]> | null;
}

/** What was kept, as this version would have. */
export function readPaid(kept: Partial<PaidLicense> & FirstPaid): PaidLicense {
  const { paidUntil = null, planId = null, productIds = null, ...rest } = kept;
  const payments = paidUntil === null ? [] : [{ refs: [`until:${paidUntil}`], until: paidUntil, ...UNREFUNDED }];
  const planIds = planId === null ? {} : { [planId.value]: planId.at };
  const item = { productIds: productIds?.value ?? [], quantity: 1, planId: null, isOnce: false };
  const charged = productIds === null ? {} : heardOf([item], productIds.at);
  const isSubscription = (rest.periodEnd ?? paidUntil) !== null;
  return { ...UNPAID, payments, planIds, charged, isSubscription, ...rest };
}

const UNREFUNDED = { madeAt: null, isRefunded: false } as const;

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
    planIds: joinHeard(one.planIds, other.planIds),
    claimToken: newer(one.claimToken ?? null, other.claimToken ?? null),
    items: joinHeard(one.items, other.items),
    charged: joinHeard(one.charged, other.charged),
    offerId: newer(one.offerId, other.offerId),
    email: newer(one.email, other.email),
    customerId: newer(one.customerId, other.customerId),
    payments: joinPayments(one.payments, other.payments),
    isSubscription: one.isSubscription || other.isSubscription,
    periodEnd: newer(one.periodEnd, other.periodEnd),
    standing: joinStandings(one.standing, other.standing),
    isRefunded: one.isRefunded || other.isRefunded,
    isDisputeLost: one.isDisputeLost || other.isDisputeLost,
    disputes: joinDisputes(one.disputes, other.disputes),
  };
}

/**
 * What a license is entitled to by its payments; pure. The tenant's own suspension and revocation stand beside it, untouched.
 * @param dunningGraceDays how long a failed payment keeps the license past the paid period
 */
export function entitlementOf(license: PaidLicense, dunningGraceDays: number): Entitlement {
  const isOpen = Object.values(license.disputes).some(({ value }) => value === 'open');
  const isPaused = license.standing?.value.state === 'paused';
  return {
    isBought: license.purchasedAt !== null,
    revokedFor: isRefundedForGood(license) ? 'refund' : license.isDisputeLost ? 'dispute' : null,
    suspendedFor: [...(isOpen ? (['dispute'] as const) : []), ...(isPaused ? (['payment'] as const) : [])],
    expiresAt: expiryOf(license, dunningGraceDays),
  };
}

/** The plan that was named last. */
export const namedPlan = ({ planIds }: PaidLicense): string | null => lastFirst(planIds)[0] ?? null;

/** What a purchase is for: what its subscription holds, else what was paid for last. */
export function itemsOf(paid: PaidLicense): readonly Item[] {
  const { heard } = itemsSaid(paid);
  const held = readItems(lastFirst(heard)[0]);
  // What was sold once beside a subscription is in none of its items.
  const once = heard === paid.charged ? [] : readItems(lastFirst(paid.charged)[0]).filter(({ isOnce }) => isOnce);
  return [...held, ...once];
}

/** All that was said of the items, and what they were before the last change. */
export function itemsSaid({ items, charged }: PaidLicense): {
  readonly heard: Heard;
  readonly earlier: readonly (readonly Item[])[];
} {
  const heard = Object.keys(items).length > 0 ? items : charged;
  return { heard, earlier: lastFirst(heard).slice(1).map(readItems) };
}

/** Every id by which a plan may list what a purchase is, or was, for. */
export function productsOf(paid: PaidLicense): readonly string[] {
  const said = [paid.items, paid.charged].flatMap((heard) => lastFirst(heard).flatMap(readItems));
  const ids = said.flatMap(({ productIds }) => productIds);
  return [...new Set([...ids, ...(paid.offerId === null ? [] : [paid.offerId.value])])];
}

/** Every plan that is named in it, at checkout or at a price. */
export function plansNamedIn(paid: PaidLicense): readonly string[] {
  const said = [paid.items, paid.charged].flatMap((heard) => lastFirst(heard).flatMap(readItems));
  return [...new Set([...Object.keys(paid.planIds), ...said.flatMap(({ planId }) => planId ?? [])])];
}

const heardOf = (items: readonly Item[], at: string): Heard =>
  items.length === 0
    ? {}
    : {
        [JSON.stringify(
          items.map(({ productIds, quantity, planId, isOnce }) => ({ productIds, quantity, planId, isOnce })),
        )]: at,
      };

const readItems = (text: string | undefined): readonly Item[] =>
  text === undefined ? [] : (JSON.parse(text) as Item[]);

/** What is sold once is paid for once; of a subscription, only that period is gone. */
const isRefundedForGood = ({ isRefunded, isSubscription, payments }: PaidLicense): boolean =>
  isRefunded || (!isSubscription && payments.some((payment) => payment.isRefunded));

function expiryOf(license: PaidLicense, dunningGraceDays: number): Date | null {
  const { periodEnd, standing } = license;
  const { until, isTakenBack } = paidTimeOf(license.payments);
  const end = timeOf(until ?? endWithoutPayment(license, isTakenBack));
  const { state, endsAt } = standing?.value ?? { state: 'active', endsAt: null };
  const endsOn = timeOf(endsAt);
  // Nothing is on the way for a period whose money went back.
  const grace = isTakenBack ? 0 : dunningGraceDays;
  switch (state) {
    case 'uncollected':
      return null;
    case 'over':
      return sooner(endsOn, end);
    case 'ending':
      return isTakenBack ? sooner(endsOn, end) : (endsOn ?? end);
    case 'past_due':
      return plusDays(end, grace);
    case 'active':
    case 'paused':
      return plusDays(end, isRenewing(until, periodEnd) ? grace : 0);
  }
}

/** Nothing is paid any more, or no payment says for which period. */
const endWithoutPayment = ({ purchasedAt, periodEnd }: PaidLicense, isTakenBack: boolean): string | null =>
  isTakenBack ? purchasedAt : (periodEnd?.value ?? null);

const sooner = (one: Date | null, other: Date | null): Date | null =>
  one !== null && (other === null || one < other) ? one : other;

/** A new period has begun and its payment is on the way: processors take it an hour or more after the old one ended. */
function isRenewing(until: string | null, periodEnd: Said<string> | null): boolean {
  return until !== null && periodEnd !== null && Date.parse(periodEnd.value) - Date.parse(until) > NEW_PERIOD_MS;
}

/** The names, products and payments that a fact tells, whatever else it says. */
function namedBy(fact: PurchaseFact, at: string): PaidLicense {
  const said = <T>(value: T | null): Said<T> | null => (value === null ? null : { at, value });
  return {
    ...UNPAID,
    planIds: fact.planId === null ? {} : { [fact.planId]: at },
    claimToken: said(fact.claimToken),
    items: heardOf(fact.items, at),
    charged: heardOf(fact.charged, at),
    offerId: said(fact.offerId),
    email: said(fact.email),
    customerId: said(fact.customerId),
    payments: paymentsIn(fact),
    isSubscription: fact.kind !== 'refunded' && fact.refs.some((ref) => ref.startsWith('subscription:')),
  };
}

/** What one fact alone makes known. */
function paidBy(fact: PurchaseFact): PaidLicense {
  const at = fact.at.toISOString();
  const known = namedBy(fact, at);
  const periodEnd = fact.periodEnd?.toISOString() ?? null;
  const standing = (state: Standing['state'], endsAt: Date | null = null): PaidLicense => ({
    ...known,
    periodEnd: periodEnd === null ? null : { at, value: periodEnd },
    standing: { at, value: { state, endsAt: endsAt?.toISOString() ?? null } },
  });
  const dispute = (id: string, value: (typeof DISPUTES)[number]): PaidLicense => ({
    ...known,
    disputes: { [id]: { at, value } },
    isDisputeLost: value === 'lost',
  });
  switch (fact.kind) {
    case 'purchased':
      return { ...standing('active'), purchasedAt: at };
    case 'renewed':
    case 'resumed':
      return standing('active');
    case 'past_due':
    case 'paused':
    case 'uncollected':
      return standing(fact.kind);
    case 'cancelled':
      return standing(fact.isOver ? 'over' : 'ending', fact.endsAt);
    case 'refunded':
      return { ...known, isRefunded: fact.paymentRefs.length === 0 };
    case 'disputed':
      return dispute(fact.disputeId, 'open');
    case 'dispute_closed':
      return dispute(fact.disputeId, fact.isWon ? 'won' : 'lost');
    case 'linked':
      return known;
  }
}

/** A subscription that is over stays so, whatever is told later: no processor takes one up again. */
function joinStandings(one: Said<Standing> | null, other: Said<Standing> | null): Said<Standing> | null {
  const over = [one, other].filter((said) => said?.value.state === 'over');
  if (over.length === 1) return over[0] ?? null;
  return newer(one, other, ({ state }) => STANDINGS.indexOf(state));
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
