import type { ListedPlan, SoldPlan, SoldPlans } from '../../licensing/index.js';
import type { Item } from '../../payments/index.js';
import {
  type BoughtPart,
  changedAt,
  itemHistory,
  itemsOf,
  namedPlan,
  type PaymentRecord,
  productOf,
  soldOnceIn,
} from '../ledger/index.js';

/** One license that a purchase is for. */
export interface LicenseOrder extends BoughtPart {
  readonly plan: SoldPlan;
  /** Multiplies the plan's seats. */
  readonly units: number;
}

/** Columns of a license's row at its purchase that describe its order. */
export const slotFields = ({ plan, units, isOnce, products }: LicenseOrder) => ({
  planId: plan.id,
  units,
  isOnce,
  products,
});

/** Content of a purchase. */
export interface Order {
  readonly licenses: readonly LicenseOrder[];
  /** Items without a license, and advice about them; null when all have one. */
  readonly unmapped: string | null;
  /** All of it is unrelated to the tenant's extensions. */
  readonly isUnrelated: boolean;
}

/** An item with its plan. */
interface MatchedItem extends ListedPlan {
  readonly quantity: number;
  /** A base fee and the usage charged with it are two prices of one product. */
  readonly product: string;
}

/** A purchase for more licenses issues none automatically, because each license sends a mail. */
export const MAX_LICENSES = 100;

/**
 * The licenses that a purchase is for, by what it names and what the plans list. Pure.
 * @param unrelated the products that have nothing to do with an extension
 */
export function licensesOwed(paid: PaymentRecord, plans: SoldPlans, unrelated: ReadonlySet<string> = NONE): Order {
  const all = itemsOf(paid);
  const isUnrelated = (ids: readonly string[]): boolean =>
    namedPlan(paid) === null && ids.some((id) => unrelated.has(id));
  const items = all.filter((item) => listed(item, plans).length > 0 || !isUnrelated(item.productIds));
  const names = all.length > 0 ? all.length - items.length : offerIn(paid).filter((id) => isUnrelated([id])).length;
  const isAllUnrelated = items.length === 0 && names > 0;
  const matched = isAllUnrelated
    ? { items: [], unmapped: null }
    : items.length > 1
      ? matchSeveral(paid, items, plans)
      : matchOne(paid, items[0] ?? null, plans);
  // A fee that no plan lists is no license.
  const once = soldOnceIn(paid).flatMap((item) => matchListed(item, plans));
  const licenses = [...groupByPlan(matched.items), ...groupByPlan(once, true)];
  const isTooMany = licenses.length > MAX_LICENSES;
  const reasons = [
    matched.unmapped,
    isTooMany
      ? `A purchase can create at most ${MAX_LICENSES} licenses, and this one is for ${licenses.length}. Issue them yourself.`
      : null,
  ].filter((reason) => reason !== null);
  return {
    // Issues no per-unit license rather than the first hundred, which would depend on the order of the items.
    licenses: isTooMany ? [...groupByPlan(bySeats(matched.items)), ...groupByPlan(bySeats(once), true)] : licenses,
    unmapped: reasons.length === 0 ? null : reasons.join(' '),
    isUnrelated: isAllUnrelated && once.length === 0,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The products of a purchase that no plan lists; or the page that sold it, where it names no product. Pure. */
export function unlistedProducts(paid: PaymentRecord, plans: SoldPlans): readonly string[] {
  const items = itemsOf(paid).filter(({ planId }) => planId === null);
  const unlisted = items.filter((item) => listed(item, plans).length === 0).map(productOf);
  const names = itemsOf(paid).length > 0 ? unlisted : offered(paid, plans).length > 0 ? [] : offerIn(paid);
  return namedPlan(paid) === null ? [...new Set(names)] : [];
}

const offerIn = ({ offerId }: PaymentRecord): readonly string[] => (offerId === null ? [] : [offerId.value]);

interface Match {
  readonly items: readonly MatchedItem[];
  readonly unmapped: string | null;
}

/** Matches one item, or none: to the plan named at checkout, until the item changes to one that another plan lists. */
function matchOne(paid: PaymentRecord, item: Item | null, plans: SoldPlans): Match {
  const planId = namedPlan(paid);
  const own = item === null ? [] : listed(item, plans);
  const matches = own.length > 0 ? own : offered(paid, plans);
  const [quantity, product] = [item?.quantity ?? 1, productOf(item)];
  if (planId === null || own.some((one) => isOvertaken(paid, one, plans)))
    return matches.length === 0
      ? { items: [], unmapped: unmappedReason(item === null ? [] : [item], paid) }
      : { items: matches.map((one) => ({ ...one, quantity, product })), unmapped: null };
  const plan = plans.byId(planId);
  if (plan === null) return { items: [], unmapped: noPlan(planId) };
  return {
    items: [{ ...asListed(plan, matches), quantity, product }],
    unmapped: null,
  };
}

/** Matches several items: each to the plan that lists it, and the others to the plan named at checkout. */
function matchSeveral(paid: PaymentRecord, items: readonly Item[], plans: SoldPlans): Match {
  const matches = items.flatMap((item) => matchListed(item, plans));
  const others = items.filter((item) => listed(item, plans).length === 0);
  const planId = namedPlan(paid);
  const named = planId === null ? null : plans.byId(planId);
  const wanted = planId === null ? offered(paid, plans).map(({ plan }) => plan) : named === null ? [] : [named];
  if (others.length === 0) return { items: matches, unmapped: null };
  if (wanted.length === 0)
    return { items: matches, unmapped: planId === null ? unmappedReason(others, paid) : noPlan(planId) };
  const quantity = Math.max(...others.map((item) => item.quantity));
  const missing = wanted.filter((plan) => !matches.some((one) => one.plan.id === plan.id));
  const added = missing.map((plan) => ({ plan, perUnit: 'seats' as const, quantity, product: '' }));
  return { items: [...matches, ...added], unmapped: null };
}

const matchListed = (item: Item, plans: SoldPlans): readonly MatchedItem[] =>
  listed(item, plans).map((own) => ({ ...own, quantity: item.quantity, product: productOf(item) }));

const bySeats = (matched: readonly MatchedItem[]): readonly MatchedItem[] =>
  matched.filter(({ perUnit }) => perUnit === 'seats');

/** Groups items by plan: one license with the seats of all units, and one license per unit of a product listed with `perUnit: license`. */
function groupByPlan(matched: readonly MatchedItem[], isOnce = false): readonly LicenseOrder[] {
  const plans = [...new Map(matched.map(({ plan }) => [plan.id, plan])).values()];
  return plans.flatMap((plan) => {
    const count = (perUnit: ListedPlan['perUnit']): ReadonlyMap<string, number> => {
      const most = new Map<string, number>();
      for (const one of matched)
        if (one.plan.id === plan.id && one.perUnit === perUnit)
          most.set(one.product, Math.max(one.quantity, most.get(one.product) ?? 0));
      return most;
    };
    const seats = count('seats');
    const singles = [...count('license')].flatMap(([product, length]) =>
      Array.from({ length }, () => ({ plan, units: 1, isOnce, products: unlessUnnamed([product]) })),
    );
    const units = [...seats.values()].reduce((sum, quantity) => sum + quantity, 0);
    return units === 0 ? singles : [...singles, { plan, units, isOnce, products: unlessUnnamed([...seats.keys()]) }];
  });
}

/** Items for the plan named at checkout go there whatever their names are. */
const unlessUnnamed = (products: readonly string[]): readonly string[] => (products.includes('') ? [] : products);

/** Whether the item has changed to another plan's since a plan was last named. */
function isOvertaken(paid: PaymentRecord, { plan }: ListedPlan, plans: SoldPlans): boolean {
  const history = itemHistory(paid);
  const changed = changedAt(history.items);
  const named = changedAt(paid.planIds);
  if (changed === null || (named !== null && named > changed)) return false;
  const isFor = (item: Item): boolean => listed(item, plans).some((one) => one.plan.id === plan.id);
  return history.earlier.some((items) => !items.some(isFor));
}

/** The plans that an item is for: several where plans of several extensions list it. */
function listed({ planId, productIds }: Item, plans: SoldPlans): readonly ListedPlan[] {
  const own = plans.byProduct(productIds);
  if (planId === null) return own;
  const plan = plans.byId(planId);
  return plan === null ? [] : [asListed(plan, own)];
}

/** A plan that was named, with what a quantity buys where it lists the product as well. */
const asListed = (plan: SoldPlan, own: readonly ListedPlan[]): ListedPlan =>
  own.find((one) => one.plan.id === plan.id) ?? { plan, perUnit: 'seats' };

const offered = ({ offerId }: PaymentRecord, plans: SoldPlans): readonly ListedPlan[] =>
  offerId === null ? [] : plans.byProduct([offerId.value]);

const noPlan = (planId: string): string => `The purchase names the plan ${planId}, which this tenant does not have.`;

function unmappedReason(items: readonly Item[], { offerId }: PaymentRecord): string {
  const wrong = items.flatMap(({ planId }) => planId ?? []);
  if (wrong.length > 0) return `The price names the plan ${wrong.join(', ')}, which this tenant does not have.`;
  const each = [...items.map(({ productIds }) => productIds.join(', ')), ...(offerId === null ? [] : [offerId.value])];
  return each.length === 0
    ? 'The purchase names neither a plan nor a product. Set `planId` in its metadata at checkout, or save an API key with the credential, which reads what was sold, and replay this notification.'
    : `No plan lists any of ${each.join(', ')}. Add one to the products of a plan, then replay this notification.`;
}

/** A license of a purchase, or what remains of one that the tenant has deleted. */
export interface LicenseSlot {
  readonly position: number;
  /** Null when it is not known. */
  readonly planId: string | null;
  /** Null for a deleted license. */
  readonly extensionId: string | null;
  /** It is for what was sold once to a subscriber. */
  readonly isOnce: boolean;
  /** The purchase no longer includes it. */
  readonly isEnded: boolean;
  /** Its license was deleted or is revoked, so a reduced purchase drops it first. */
  readonly isDead: boolean;
}

/** Changes of the licenses of a purchase that has changed. */
export interface Assignment<S extends LicenseSlot> {
  readonly pairs: readonly { readonly slot: S; readonly owed: LicenseOrder }[];
  readonly issued: readonly LicenseOrder[];
  readonly ended: readonly S[];
}

/**
 * Assigns the parts of a purchase to its licenses. A license moves to another plan of its extension, keeping its code and devices, rather than
 * end and be replaced. Pure.
 * @param isAllKnown whether every item has a plan; otherwise no license ends, because one of the items may be for it
 */
export function assignLicenses<S extends LicenseSlot>(
  slots: readonly S[],
  licenses: readonly LicenseOrder[],
  isAllKnown: boolean,
): Assignment<S> {
  const rules: readonly ((slot: S, owed: LicenseOrder) => boolean)[] = [
    (slot, owed) => !slot.isEnded && slot.planId === owed.plan.id && slot.isOnce === owed.isOnce,
    (slot, owed) => slot.isEnded && slot.planId === owed.plan.id && slot.isOnce === owed.isOnce,
    (slot, owed) =>
      !slot.isEnded &&
      slot.isOnce === owed.isOnce &&
      (slot.extensionId === null || slot.extensionId === owed.plan.extensionId),
    // An apparently separate purchase turns out to belong to a subscription.
    (slot, { plan }) => !slot.isEnded && slot.planId === plan.id,
  ];
  const aliveFirst = slots.toSorted((one, other) => Number(one.isDead) - Number(other.isDead));
  const pairs: { readonly slot: S; readonly owed: LicenseOrder }[] = [];
  for (const fits of rules)
    for (const owed of licenses) {
      if (pairs.some((one) => one.owed === owed)) continue;
      const slot = aliveFirst.find((each) => !pairs.some((one) => one.slot === each) && fits(each, owed));
      if (slot !== undefined) pairs.push({ slot, owed });
    }
  const isKept = (slot: S): boolean => pairs.some((one) => one.slot === slot);
  return {
    pairs,
    issued: licenses.filter((owed) => !pairs.some((one) => one.owed === owed)),
    ended: isAllKnown ? slots.filter((slot) => !slot.isEnded && !isKept(slot)) : [],
  };
}
