import { foldEmail, isEmailAddress } from '../common/fields/index.js';
import { asList, asNumber, asRecord, asText } from '../common/net/index.js';
import type { About, Item } from './payment-fact.js';

/** JSON of a processor, not looked at yet. */
export type Payload = Readonly<Record<string, unknown>>;

const LONGEST = 500;

/** The value at a path of an unknown JSON; `undefined` where the path ends early. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => asRecord(inner)?.[name], value);
}

/** An id as text: given as text or number, or as an expanded object that has one. */
export function idOf(value: unknown): string | null {
  const bare = asRecord(value)?.['id'] ?? value;
  const text = asText(bare)?.trim() ?? asNumber(bare)?.toString();
  return text === undefined || text.length > LONGEST || /[\0\p{Surrogate}]/u.test(text) ? null : text;
}

/** An event's name as it can be kept; empty for what is no name. */
export const eventNameOf = (value: unknown): string => (typeof value === 'string' ? (idOf(value) ?? '') : '');

/** The ids that are there, each once, in their order. */
export function idsOf(...values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map(idOf).filter((id) => id !== null))];
}

/** An e-mail address, folded to lower case; whatever is none is `null`. */
export function emailOf(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = typeof value === 'string' ? foldEmail(value) : null;
    if (isEmailAddress(text)) return text;
  }
  return null;
}

/** A moment in ISO 8601. */
export function timeOf(value: unknown): Date | null {
  const text = asText(value);
  return text === undefined ? null : validTime(Date.parse(text));
}

/** A moment in Unix seconds. */
export function unixTimeOf(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === undefined ? null : validTime(seconds * 1000);
}

/** Years that every database and every client can write. */
function validTime(ms: number): Date | null {
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? new Date(ms) : null;
}

/** The latest of the moments that are there. */
export function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);
}

/** `kind:id` of each id that is there. */
export function refsOf(ids: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(ids).flatMap(([kind, value]) => {
    const id = idOf(value);
    return id === null ? [] : [`${kind}:${id}`];
  });
}

/** What the seller put into `metadata` or `custom_data` at checkout: `planId`, `claimToken`, and `email` where the processor has none. */
export function customOf(custom: unknown): Pick<About, 'planId' | 'claimToken' | 'email'> {
  const { planId, claimToken } = asRecord(custom) ?? {};
  return { planId: idOf(planId), claimToken: idOf(claimToken), email: emailOf(dig(custom, 'email')) };
}

/** A fact's members, with "nothing was said" for those that are not given. */
export function about(known: Partial<About> & Pick<About, 'at' | 'refs'>): About {
  return {
    paymentRefs: [],
    paymentMadeAt: null,
    customerId: null,
    email: null,
    planId: null,
    claimToken: null,
    items: [],
    charged: [],
    offerId: null,
    periodEnd: null,
    ...known,
  };
}

/** So many of one thing are plainly a mistake. */
const MOST = 1_000_000;

/** One thing that is sold; what names neither a product nor a plan is none. */
export function itemOf(
  productIds: readonly string[],
  quantity: unknown,
  more: Partial<Pick<Item, 'planId' | 'isOnce'>> = {},
): readonly Item[] {
  const { planId = null, isOnce = false } = more;
  const count = asNumber(quantity) ?? 1;
  const isCount = Number.isInteger(count) && count >= 1 && count <= MOST;
  return productIds.length === 0 && planId === null
    ? []
    : [{ productIds, quantity: isCount ? count : 1, planId, isOnce }];
}

/** Unknown JSON as a list of objects; what is none is left out. */
export function recordsOf(value: unknown): readonly Payload[] {
  return asList(value)
    .map(asRecord)
    .filter((entry) => entry !== undefined);
}
