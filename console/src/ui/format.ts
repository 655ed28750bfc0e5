const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** 4,812 */
export const number = (value: number): string => NUMBER.format(value);
/** 1 user, 4,812 users. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : several}`;
/** 0.125 as 12.5% */
export const percent = (share: number): string => PERCENT.format(share);
/** €9.00, of a sum in the smallest unit of its currency. */
export function money({ value, currency }: { readonly value: number; readonly currency: string }): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(value / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
/** The moment, to the second, in the reader's time zone. */
export const exact = (time: string | Date): string => EXACT.format(new Date(time));
/** 2:05 PM, in the reader's time zone. */
export const clock = (time: string | number): string => CLOCK.format(new Date(time));
/** Nov 27, in the reader's time zone. */
export const date = (time: string | number): string => DATE.format(new Date(time));
/** Friday, November 27, 2026, in the reader's time zone. */
export const dayOf = (time: string | number): string => WEEKDAY.format(new Date(time));
/** The day in UTC, which is the same for every reader, such as the last day of a license. */
export const day = (time: string | Date): string => DAY.format(new Date(time));

/** Days in UTC from the first to the last: Nov 1 – 27, 2026. */
export const dayRange = (from: string, to: string): string => DAY.formatRange(new Date(from), new Date(to));

const SIGNED = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
/** A change of 0.123 as +12%; from nothing there is none. */
export const change = (share: number | null): string => (share === null ? '—' : SIGNED.format(share));

const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
/** 38,214 as 38.2K */
export const shortNumber = (value: number): string => SHORT.format(value);

const COMMIT_DIGITS = 12;
/** Version and commit of the service, such as 1.0.0 (3fa9c1d2e4b5). */
export const fullVersion = ({
  version,
  commit,
}: {
  readonly version: string;
  readonly commit: string | null;
}): string => (commit === null ? version : `${version} (${commit.slice(0, COMMIT_DIGITS)})`);

const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** 84 kB */
export function bytes(size: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(size, 1)) / 3), 0), BYTES.length - 1);
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: BYTES[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(size / 1000 ** power);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const LENGTHS = new Map(
  UNITS.map(([unit]) => [unit, new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' })]),
);

/** A length of time in its largest unit: 2 hr, 9 days; below a minute: less than a minute. */
export function lasting(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? [];
  return unit === undefined || length === undefined
    ? 'less than a minute'
    : (LENGTHS.get(unit)?.format(Math.trunc(seconds / length)) ?? '');
}

/** The time that has passed: 2 hr, 9 days; within a minute: just now. */
export function elapsed(time: string | Date, now: number = Date.now()): string {
  const seconds = (now - new Date(time).getTime()) / 1000;
  return seconds < 60 ? 'just now' : lasting(seconds);
}

/** 2 hours ago, in 9 days; within a minute: just now. */
export function relative(time: string | Date, now: number = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  return unit === undefined || length === undefined ? 'just now' : RELATIVE.format(Math.trunc(seconds / length), unit);
}
