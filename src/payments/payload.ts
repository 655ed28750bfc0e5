import { foldEmail, isEmailAddress, isOwnClaim } from '../common/fields/pure.js';
import { asList, asNumber, asRecord, asText } from '../common/net/index.js';
import type { Item, Money, PaymentFact, PurchaseDetails, TakenBack } from './payment-fact.js';

/** A processor's JSON, not validated. */
export type Payload = Readonly<Record<string, unknown>>;

/** Reads one kind of event into facts; pure. `at` is when the processor says it happened. */
export type EventReader = (data: Payload, at: Date, previous?: Payload) => readonly PaymentFact[];

const LONGEST = 500;

/** The value at a path of unknown JSON; `undefined` where the path ends early. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => asRecord(inner)?.[name], value);
}

/** An id as text, from text, a number, or an expanded object. */
export function idOf(value: unknown): string | null {
  const bare = asRecord(value)?.['id'] ?? value;
  const text = asText(bare)?.trim() ?? asNumber(bare)?.toString();
  return text === undefined || text.length > LONGEST || /[\0\p{Surrogate}]/u.test(text) ? null : text;
}

/** Processors send no longer links. */
const LONGEST_LINK = 2000;

/** A link to show to buyers: https, and on the host, or below it where it begins with a dot. Null for anything else. */
export function linkOn(host: string, value: unknown): URL | null {
  const text = asText(value) ?? '';
  if (text.length > LONGEST_LINK || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isThere = host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host;
  const isPlain = `${url.username}${url.password}${url.port}` === '' && url.href.length <= LONGEST_LINK;
  return url.protocol === 'https:' && isThere && isPlain ? url : null;
}

/** An event's name, fit to be stored; empty for anything else. */
export const eventNameOf = (value: unknown): string => (typeof value === 'string' ? (idOf(value) ?? '') : '');

/** The ids that are present, each once, in order. */
export function idsOf(...values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map(idOf).filter((id) => id !== null))];
}

/** The first e-mail address among the values, in lower case. */
export function emailOf(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = typeof value === 'string' ? foldEmail(value) : null;
    if (isEmailAddress(text)) return text;
  }
  return null;
}

/** A time in ISO 8601. */
export function timeOf(value: unknown): Date | null {
  const text = asText(value);
  return text === undefined ? null : validTime(Date.parse(text));
}

/** A time in Unix seconds. */
export function unixTimeOf(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === undefined ? null : validTime(seconds * 1000);
}

/** Only years that every database and client can write. */
function validTime(ms: number): Date | null {
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? new Date(ms) : null;
}

/** A sum of money; null where it or its currency is missing. @param value in the smallest unit */
export function moneyOf(value: unknown, currency: unknown): Money | null {
  const sum = asNumber(value);
  const code = (asText(currency) ?? '').toUpperCase();
  const isSum = sum !== undefined && Number.isSafeInteger(sum) && sum >= 0;
  return isSum && /^[A-Z]{3}$/.test(code) ? { value: sum, currency: code } : null;
}

/** The latest of the times that are present. */
export function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);
}

/** A country by ISO 3166-1. */
export function countryOf(value: unknown): string | null {
  const code = (asText(value) ?? '').toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

/** A name to show to people, on one line. */
export function nameOf(value: unknown): string | null {
  const name = (idOf(asText(value)) ?? '').replace(/\s+/g, ' ').trim();
  return name === '' ? null : name;
}

/** What went back to the buyer; null where the event does not say how much. */
export function takenBackOf(
  by: TakenBack['by'],
  money: Money | null,
  { id = null, isGiven = true }: Partial<Pick<TakenBack, 'id' | 'isGiven'>> = {},
): TakenBack | null {
  return money === null ? null : { by, id, money, isGiven };
}

/** The kinds of objects that a processor's ids name. */
export const REF_KINDS = ['session', 'order', 'transaction', 'subscription', 'invoice', 'payment', 'charge'] as const;
export type RefKind = (typeof REF_KINDS)[number];

/** `kind:id` of each id that is present. */
export function refsOf(ids: Readonly<Partial<Record<RefKind, unknown>>>): readonly string[] {
  return Object.entries(ids).flatMap(([kind, value]) => {
    const id = idOf(value);
    return id === null ? [] : [`${kind}:${id}`];
  });
}

/**
 * Reads the seller's own data from the checkout (`metadata` or `custom_data`): `planId`, `licenseId`, `claimToken`, `recipientEmail`, and `email`
 * where the processor has none.
 */
export function customDataOf(
  custom: unknown,
): Pick<PurchaseDetails, 'planId' | 'licenseId' | 'claimToken' | 'recipient' | 'email'> {
  const { planId, licenseId, claimToken, recipientEmail, email } = asRecord(custom) ?? {};
  return {
    planId: idOf(planId),
    licenseId: idOf(licenseId),
    claimToken: idOf(claimToken),
    recipient: emailOf(recipientEmail),
    email: emailOf(email),
  };
}

/** A claim token in a reference of the processor's own, where sellers may also have put something of theirs. */
export const claimIn = (reference: unknown): string | null => (isOwnClaim(reference) ? reference : null);

/** A fact's members, with "not mentioned" for the missing ones. */
export function purchaseDetails(
  known: Partial<PurchaseDetails> & Pick<PurchaseDetails, 'at' | 'refs'>,
): PurchaseDetails {
  return {
    paymentRefs: [],
    paymentMadeAt: null,
    customerId: null,
    email: null,
    buyerName: null,
    planId: null,
    licenseId: null,
    claimToken: null,
    recipient: null,
    items: [],
    charged: [],
    offerId: null,
    periodEnd: null,
    periodStart: null,
    periods: {},
    money: null,
    moneyRefs: null,
    takenBack: null,
    country: null,
    productName: null,
    total: null,
    lines: {},
    receiptUrl: null,
    portalUrl: null,
    ...known,
  };
}

/** A customer's address, where the customer has the same fields as at Paddle and Polar. */
export const customerSeen: EventReader = (data, at) => {
  const [customerId, email] = [idOf(data['id']), emailOf(data['email'])];
  return customerId === null || email === null ? [] : [{ kind: 'customer_seen', at, customerId, email, former: null }];
};

/** A larger quantity counts as 1, because it is most likely a mistake. */
const MAX_QUANTITY = 1_000_000;

/** One item of a sale; none when neither a product nor a plan is named. */
export function itemOf(
  productIds: readonly string[],
  quantity: unknown,
  more: Partial<Pick<Item, 'planId' | 'isOnce'>> = {},
): readonly Item[] {
  const { planId = null, isOnce = false } = more;
  const count = asNumber(quantity) ?? 1;
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_QUANTITY;
  return productIds.length === 0 && planId === null
    ? []
    : [{ productIds, quantity: isCount ? count : 1, planId, isOnce }];
}

/** Unknown JSON as a list of objects; anything else is left out. */
export function recordsOf(value: unknown): readonly Payload[] {
  return asList(value)
    .map(asRecord)
    .filter((entry) => entry !== undefined);
}
