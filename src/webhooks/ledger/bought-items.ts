import type { Item } from '../../payments/index.js';
import { newestFirst, type Dated, type DatedValues } from './dated.js';
import { isTakenBack, refundedProducts, type Payment } from './paid-periods.js';

/** The parts of a record that describe the bought items. */
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

/** The most general id of an item's product. */
export const productOf = (item: Item | null): string => item?.productIds.at(-1) ?? '';

/** The plan named last. */
export const namedPlan = ({ planIds }: Bought): string | null => newestFirst(planIds)[0] ?? null;

/** Returns the items of a purchase: those of its subscription, or else those paid for last, without items that were refunded separately. */
export function itemsOf(paid: Bought): readonly Item[] {
  const items = readItems(newestFirst(itemHistory(paid).items)[0]);
  if (paid.isSubscription) return items.filter(({ isOnce }) => !isOnce);
  return withoutRefunded(items, paid.payments.flatMap(refundedProducts));
}

/** Returns the items sold once to a subscriber, by all payments together, without the refunded ones. */
export function soldOnceIn({ isSubscription, payments }: Bought): readonly Item[] {
  const paidFor = isSubscription ? payments.filter((payment) => !isTakenBack(payment)) : [];
  const items = paidFor.flatMap((payment) => withoutRefunded(Object.values(payment.once), refundedProducts(payment)));
  const sums = new Map<string, Item>();
  for (const item of items) {
    const id = item.productIds[0] ?? '';
    sums.set(id, { ...item, quantity: item.quantity + (sums.get(id)?.quantity ?? 0) });
  }
  return [...sums.values()];
}

const withoutRefunded = (items: readonly Item[], refunded: readonly string[]): readonly Item[] =>
  items.filter(({ productIds }) => !productIds.some((id) => refunded.includes(id)));

/** Whether a purchase is still for the same items. */
export const isSameOrder = (before: Bought, after: Bought): boolean => orderIn(before) === orderIn(after);
const orderIn = (paid: Bought): string =>
  JSON.stringify([namedPlan(paid), itemsOf(paid), soldOnceIn(paid), paid.offerId?.value]);

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
  const ids = allItems(paid).flatMap(({ productIds }) => productIds);
  return [...new Set([...ids, ...(paid.offerId === null ? [] : [paid.offerId.value])])];
}

/** Every plan named at checkout or at a price. */
export function plansNamedIn(paid: Bought): readonly string[] {
  return [...new Set([...Object.keys(paid.planIds), ...allItems(paid).flatMap(({ planId }) => planId ?? [])])];
}

const allItems = ({ items, charged, payments }: Bought): readonly Item[] => [
  ...[items, charged].flatMap((history) => newestFirst(history).flatMap(readItems)),
  ...payments.flatMap(({ once }) => Object.values(once)),
];

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
