import type { Item } from '../payments/index.js';
import { itemsOf, itemsSaid, namedPlan, type PaidLicense } from './apply-payment.js';
import { changedAt } from './said.js';

/** A plan as far as purchases go. */
export interface SoldPlan {
  readonly id: string;
  readonly extensionId: string;
  readonly maxActivations: number;
}

/** A plan that lists a product. */
export interface Listed {
  readonly plan: SoldPlan;
  readonly perUnit: 'seats' | 'license';
}

/** The plans of a tenant, asked by what a purchase names. */
export interface SoldPlans {
  named(planId: string): SoldPlan | null;
  /** @param productIds the most specific first */
  listing(productIds: readonly string[]): Listed | null;
}

/** One license that a purchase is for. */
export interface Owed {
  readonly plan: SoldPlan;
  /** How many times the plan's seats it has. */
  readonly units: number;
}

/** What a purchase comes to. */
export interface Order {
  readonly licenses: readonly Owed[];
  /** What of it makes no license, and what to do about it; null when all of it does. */
  readonly unmapped: string | null;
}

/** An item with the plan that it is for. */
interface Placed extends Listed {
  readonly quantity: number;
  /** What is sold: a base fee and the usage beside it are two prices of one product. */
  readonly product: string;
}

/** More licenses of one purchase than this are not issued by themselves: each sends a mail. */
export const MOST_LICENSES = 100;

/** The licenses that a purchase is for, by what it names and what the plans list; pure. */
export function licensesOwed(paid: PaidLicense, plans: SoldPlans): Order {
  const all = itemsOf(paid);
  const items = all.filter(({ isOnce }) => !(isOnce && paid.isSubscription));
  const placed = items.length > 1 ? placeSeveral(paid, items, plans) : placeOne(paid, items[0] ?? null, plans);
  const beside = all.filter((item) => !items.includes(item) && listed(item, plans) !== null);
  const tooMany = placed.found.filter(({ perUnit, quantity }) => perUnit === 'license' && quantity > MOST_LICENSES);
  const reasons = [
    placed.unmapped,
    ...beside.map(
      ({ productIds }) =>
        `${productIds[0] ?? ''} is sold once beside a subscription, and makes no license of its own. Issue it by hand, or sell it in a checkout of its own.`,
    ),
    ...tooMany.map(
      ({ quantity }) =>
        `A purchase makes at most ${MOST_LICENSES} licenses, and this one is for ${quantity}. Issue them by hand.`,
    ),
  ].filter((reason) => reason !== null);
  return {
    licenses: together(placed.found.filter((one) => !tooMany.includes(one))),
    unmapped: reasons.length === 0 ? null : reasons.join(' '),
  };
}

interface Placing {
  readonly found: readonly Placed[];
  readonly unmapped: string | null;
}

/** One item, or none that is known: the plan that was named at checkout, until the item changes to one that another plan lists. */
function placeOne(paid: PaidLicense, item: Item | null, plans: SoldPlans): Placing {
  const planId = namedPlan(paid);
  const own = item === null ? null : listed(item, plans);
  const found = own ?? offered(paid, plans);
  const [quantity, product] = [item?.quantity ?? 1, productOf(item)];
  if (planId === null || (own !== null && isOvertaken(paid, own, plans)))
    return found === null
      ? { found: [], unmapped: unmappedReason(item === null ? [] : [item], paid) }
      : { found: [{ ...found, quantity, product }], unmapped: null };
  const plan = plans.named(planId);
  if (plan === null) return { found: [], unmapped: noPlan(planId) };
  return {
    found: [{ plan, perUnit: found?.plan.id === plan.id ? found.perUnit : 'seats', quantity, product }],
    unmapped: null,
  };
}

/** Each to the plan that lists it; a plan that was named at checkout has all that no plan lists. */
function placeSeveral(paid: PaidLicense, items: readonly Item[], plans: SoldPlans): Placing {
  const found = items.flatMap((item) => {
    const own = listed(item, plans);
    return own === null ? [] : [{ ...own, quantity: item.quantity, product: productOf(item) }];
  });
  const others = items.filter((item) => listed(item, plans) === null);
  const planId = namedPlan(paid);
  const plan = planId === null ? offered(paid, plans)?.plan : plans.named(planId);
  if (others.length === 0) return { found, unmapped: null };
  if (plan == null) return { found, unmapped: planId === null ? unmappedReason(others, paid) : noPlan(planId) };
  const quantity = Math.max(...others.map((item) => item.quantity));
  const isThere = found.some((one) => one.plan.id === plan.id);
  return { found: isThere ? found : [...found, { plan, perUnit: 'seats', quantity, product: '' }], unmapped: null };
}

/** One license with all the seats of a plan, and one for each unit where the product says so. */
function together(placed: readonly Placed[]): readonly Owed[] {
  const plans = [...new Map(placed.map(({ plan }) => [plan.id, plan])).values()];
  return plans.flatMap((plan) => {
    const count = (perUnit: Listed['perUnit']): number => {
      const most = new Map<string, number>();
      for (const one of placed)
        if (one.plan.id === plan.id && one.perUnit === perUnit)
          most.set(one.product, Math.max(one.quantity, most.get(one.product) ?? 0));
      return [...most.values()].reduce((sum, quantity) => sum + quantity, 0);
    };
    const units = count('seats');
    const singles = Array.from({ length: count('license') }, () => ({ plan, units: 1 }));
    return units === 0 ? singles : [...singles, { plan, units }];
  });
}

/** The item has changed since, and since the plan was last named, and not within one plan. */
function isOvertaken(paid: PaidLicense, { plan }: Listed, plans: SoldPlans): boolean {
  const said = itemsSaid(paid);
  const changed = changedAt(said.heard);
  const named = changedAt(paid.planIds);
  if (changed === null || (named !== null && named > changed)) return false;
  return said.earlier.some((items) => !items.some((item) => listed(item, plans)?.plan.id === plan.id));
}

const productOf = (item: Item | null): string => item?.productIds.at(-1) ?? '';

function listed({ planId, productIds }: Item, plans: SoldPlans): Listed | null {
  if (planId === null) return plans.listing(productIds);
  const plan = plans.named(planId);
  return plan === null ? null : { plan, perUnit: plans.listing(productIds)?.perUnit ?? 'seats' };
}

const offered = ({ offerId }: PaidLicense, plans: SoldPlans): Listed | null =>
  offerId === null ? null : plans.listing([offerId.value]);

const noPlan = (planId: string): string => `No plan of this tenant has the id ${planId}, which the purchase names.`;

function unmappedReason(items: readonly Item[], { offerId }: PaidLicense): string {
  const wrong = items.flatMap(({ planId }) => planId ?? []);
  if (wrong.length > 0) return `No plan of this tenant has the id ${wrong.join(', ')}, which the price names.`;
  const each = [...items.map(({ productIds }) => productIds.join(', ')), ...(offerId === null ? [] : [offerId.value])];
  return each.length === 0
    ? 'The purchase names neither a plan nor a product. Put `planId` into its metadata at checkout.'
    : `No plan lists any of ${each.join(', ')}. Add one to the products of a plan, then replay this.`;
}

/** A license that a purchase has made, or would have if its tenant had not deleted it. */
export interface Slot {
  readonly position: number;
  /** Null when the license was deleted before that was kept. */
  readonly planId: string | null;
  /** Null when the license was deleted. */
  readonly extensionId: string | null;
  /** The purchase is for it no longer. */
  readonly isEnded: boolean;
}

/** What becomes of the licenses of a purchase that has changed. */
export interface Assignment<S extends Slot> {
  readonly kept: readonly { readonly slot: S; readonly owed: Owed }[];
  readonly issued: readonly Owed[];
  readonly ended: readonly S[];
}

/**
 * Which license is for which part of a purchase; pure. A license moves to another plan of its extension before it ends and another is issued,
 * so that its code and devices stay.
 * @param isAllKnown whether every item has a plan; otherwise none ends, since one of them may be for it
 */
export function assign<S extends Slot>(
  slots: readonly S[],
  licenses: readonly Owed[],
  isAllKnown: boolean,
): Assignment<S> {
  const rules: readonly ((slot: S, owed: Owed) => boolean)[] = [
    (slot, { plan }) => !slot.isEnded && slot.planId === plan.id,
    (slot, { plan }) => slot.isEnded && slot.planId === plan.id,
    (slot, { plan }) => !slot.isEnded && (slot.extensionId === null || slot.extensionId === plan.extensionId),
  ];
  const kept: { readonly slot: S; readonly owed: Owed }[] = [];
  for (const fits of rules)
    for (const owed of licenses) {
      if (kept.some((one) => one.owed === owed)) continue;
      const slot = slots.find((each) => !kept.some((one) => one.slot === each) && fits(each, owed));
      if (slot !== undefined) kept.push({ slot, owed });
    }
  const isKept = (slot: S): boolean => kept.some((one) => one.slot === slot);
  return {
    kept,
    issued: licenses.filter((owed) => !kept.some((one) => one.owed === owed)),
    ended: isAllKnown ? slots.filter((slot) => !slot.isEnded && !isKept(slot)) : [],
  };
}
