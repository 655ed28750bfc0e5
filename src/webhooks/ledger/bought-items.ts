import type { Item } from '../../payments/index.js';
import { newestFirst, type Dated, type DatedValues } from './dated.js';
import { refundedProducts, type Payment } from './paid-periods.js';

/** What a record knows of what was bought. */
export interface Bought {
  /** The plans named at checkout. */
  readonly planIds: DatedValues;
  /** The items of the subscription, as JSON. */
  readonly items: DatedValues;
  /** The items that payments were for, as JSON. */
  readonly charged: DatedValues;
  readonly offerId: Dated<string> | null;
  /** Every payment, with the period that it paid for. */
  readonly payments: readonly Payment[];
  /** It renews: a refund ends the paid period, not the purchase. */
  readonly isSubscription: boolean;
}

/** The plan named last. */
export const namedPlan = ({ planIds }: Bought): string | null => newestFirst(planIds)[0] ?? null;

/** What a purchase is for: the items of its subscription, or else what was paid for last. What was refunded by itself is not among them. */
export function itemsOf(paid: Bought): readonly Item[] {
  const refunded = paid.isSubscription ? [] : paid.payments.flatMap(refundedProducts);
  return boughtItems(paid).filter(({ productIds }) => !productIds.some((id) => refunded.includes(id)));
}

function boughtItems(paid: Bought): readonly Item[] {
  const { items } = itemHistory(paid);
  const held = readItems(newestFirst(items)[0]);
  // What is sold once with a subscription is not among the subscription's items.
  const once = items === paid.charged ? [] : readItems(newestFirst(paid.charged)[0]).filter(({ isOnce }) => isOnce);
  return [...held, ...once];
}

/** The items over time, and those before the last change. */
export function itemHistory({ items, charged }: Bought): {
  readonly items: DatedValues;
  readonly earlier: readonly (readonly Item[])[];
} {
  const history = Object.keys(items).length > 0 ? items : charged;
  return { items: history, earlier: newestFirst(history).slice(1).map(readItems) };
}

/** Every id by which a plan can list what a purchase is or was for. */
export function productsOf(paid: Bought): readonly string[] {
  const items = [paid.items, paid.charged].flatMap((history) => newestFirst(history).flatMap(readItems));
  const ids = items.flatMap(({ productIds }) => productIds);
  return [...new Set([...ids, ...(paid.offerId === null ? [] : [paid.offerId.value])])];
}

/** Every plan named at checkout or at a price. */
export function plansNamedIn(paid: Bought): readonly string[] {
  const items = [paid.items, paid.charged].flatMap((history) => newestFirst(history).flatMap(readItems));
  return [...new Set([...Object.keys(paid.planIds), ...items.flatMap(({ planId }) => planId ?? [])])];
}

/** The items of a fact, as a record keeps them. */
export const datedItems = (items: readonly Item[], at: string): DatedValues =>
  items.length === 0
    ? {}
    : {
        [JSON.stringify(
          items.map(({ productIds, quantity, planId, isOnce }) => ({ productIds, quantity, planId, isOnce })),
        )]: at,
      };

const readItems = (text: string | undefined): readonly Item[] =>
  text === undefined ? [] : (JSON.parse(text) as Item[]);
