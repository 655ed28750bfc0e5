import type { Schema } from '../api/service.js';
import { usageFailure } from '../failure.js';

const DAY_MS = 86_400_000;

/** When something expires: a day, of which it takes the end in UTC, a moment, or a number of days from now. @throws Failure for the past and for text that is not a time */
export function expiryOf(text: string, now: Date): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const time =
    days === undefined ? new Date(isDay ? `${text}T23:59:59Z` : text) : new Date(now.getTime() + Number(days) * DAY_MS);
  const isTime = days !== undefined || /^\d{4}-\d\d-\d\d/.test(text);
  if (!isTime || Number.isNaN(time.getTime()) || (isDay && !time.toISOString().startsWith(text)))
    throw usageFailure(`"${text}" is not a valid day.`, 'Examples: 2027-12-31, 90d.');
  if (time <= now) throw usageFailure(`"${text}" is in the past.`);
  return time.toISOString();
}

const UNITS = { d: 'days', m: 'months', y: 'years' } as const;

/** The term in `90d`, `1m` or `2y`. @throws Failure for any other text */
export function lengthOf(text: string): Schema<'ExtendLicense'> {
  const [, count, unit] = /^(\d{1,4})([dmy])$/.exec(text) ?? [];
  if (count === undefined) throw usageFailure(`"${text}" is not a term.`, 'Examples: 30d, 1m, 1y.');
  return { count: Number(count), unit: UNITS[unit as keyof typeof UNITS] };
}

/** The duration of a plan as the service has it: `1y` is `P1Y`, `none` is for ever. @throws Failure for any other text */
export function durationOf(text: string): string | null {
  if (text === 'none') return null;
  const { count, unit } = lengthOf(text);
  return `P${count}${unit.slice(0, 1).toUpperCase()}`;
}

/** A plan's duration in words: `P1Y` is `1 year`. */
export function durationInWords(duration: string): string {
  const [, count = '', unit = ''] = /^P(\d+)([DMY])$/.exec(duration) ?? [];
  const word = UNITS[unit.toLowerCase() as keyof typeof UNITS];
  return `${count} ${count === '1' ? word.slice(0, -1) : word}`;
}
