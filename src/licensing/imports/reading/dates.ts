import { saysNothing } from './fold.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** No place on Earth is farther ahead. */
const MAX_OFFSET_MS = 14 * 3_600_000;
const NEVER = /^(?:never|lifetime|perpetual|forever|unlimited|∞)$/i;

const TIME = String.raw`(?:,?[T\s]+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?\s?(?<half>[ap]m)?\s?(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?:\sUTC)?)?`;
const form = (date: string): RegExp => new RegExp(`^${date}${TIME}$`, 'i');

/** The forms of a date; days and months of two digits may lack the first. */
const FORMS = [
  form(String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})`),
  form(String.raw`(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})`),
  form(String.raw`(?:\w{3,9},?\s)?(?<name>[a-z]{3,9})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?<year>\d{4})`),
  form(String.raw`(?:\w{3,9},?\s)?(?<day>\d{1,2})(?:st|nd|rd|th)?\.?[\s-](?<name>[a-z]{3,9})\.?,?[\s-](?<year>\d{4})`),
  form(String.raw`(?<first>\d{1,2})[/-](?<other>\d{1,2})[/-](?<year>\d{4})`),
];

/** A time in a cell: null for never, or what is wrong with it. */
export type ReadDate = Date | null | { readonly fault: string };

/** What comes first in a date such as 31/12/2027. */
export type DateOrder = 'day-first' | 'month-first';

const UNKNOWN = { fault: 'must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.' };

/**
 * Reads a date as tools and spreadsheets write it. Pure. One without a time zone is in UTC; 03/04/2027 is a fault without an order, since it is April in
 * one country and March in another.
 */
export function readDate(cell: string, order?: DateOrder): ReadDate {
  const text = cell.trim();
  if (saysNothing(text) || NEVER.test(text)) return null;
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  const parts = partsOf(text);
  if (parts === undefined) return UNKNOWN;
  const [month, day] = monthAndDay(parts, order);
  if (month === null)
    return { fault: 'may be one of two days, and no other date of the file tells which. Write it as 2027-01-31.' };
  return dateOf(Number(parts['year']), month, day, parts) ?? UNKNOWN;
}

/** What a date tells of the order of all: an order, `either` when it could be in both; null for nothing. Pure. */
export function orderIn(cell: string): DateOrder | 'either' | null {
  const { first, other } = partsOf(cell.trim()) ?? {};
  const [one, two] = [Number(first), Number(other)];
  if (first === undefined || one === two) return null;
  return two > 12 ? 'month-first' : one > 12 ? 'day-first' : 'either';
}

type Parts = Readonly<Record<string, string | undefined>>;

const partsOf = (text: string): Parts | undefined =>
  FORMS.map((one) => one.exec(text)?.groups).find((groups) => groups !== undefined);

/** The month and the day; null where they could be each other. */
function monthAndDay(
  { month, day, name, first, other }: Parts,
  order: DateOrder | undefined,
): readonly [number | null, number] {
  if (name !== undefined) return [MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(day)];
  if (first === undefined) return [Number(month), Number(day)];
  const [one, two] = [Number(first), Number(other)];
  if (one === two || two > 12) return [one, two];
  if (one > 12 || order === 'day-first') return [two, one];
  return order === undefined ? [null, one] : [one, two];
}

/** @returns null when there is no such time */
function dateOf(
  year: number,
  month: number,
  day: number,
  { hour = '0', minute = '0', second = '0', half, zone }: Parts,
): Date | null {
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = new Date(Date.UTC(year, month - 1, day, hours, Number(minute), Number(second)));
  const isReal =
    year >= 1970 &&
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hours &&
    Number(minute) < 60;
  const offset = offsetOf(zone);
  return isReal && Math.abs(offset) <= MAX_OFFSET_MS ? new Date(time.getTime() - offset) : null;
}

/** Of a zone such as +0200 or +02, in milliseconds. */
function offsetOf(zone = 'Z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
