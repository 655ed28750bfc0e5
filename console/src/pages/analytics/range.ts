/** The days that the page shows, as the address has them. */
export interface Range {
  readonly from: string;
  readonly to: string;
  /** The choice that they come from; `custom` for days of the reader's own. */
  readonly choice: string;
}

const DAY_MS = 86_400_000;

/** The choices, by what the address calls them. */
export const CHOICES = [
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'custom', label: 'Custom' },
] as const;
export const DEFAULT_CHOICE = '28';

/** Most days that the service reports on. */
export const MAX_DAYS = 400;

/** The UTC day of a time, as `2030-01-31`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;

/** Reads the range of an address: whatever somebody typed there becomes days that the service takes. Pure. */
export function rangeOf(search: URLSearchParams, now: number): Range {
  const today = dayOf(now);
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  if (isDay(from) || isDay(to)) {
    const last = isDay(to) && to < today ? to : today;
    const oldest = addDays(last, 1 - MAX_DAYS);
    const wanted = isDay(from) && from <= last ? from : addDays(last, -27);
    return { from: wanted < oldest ? oldest : wanted, to: last, choice: 'custom' };
  }
  const wanted = search.get('days') ?? DEFAULT_CHOICE;
  const choice = CHOICES.some(({ value }) => value === wanted && value !== 'custom') ? wanted : DEFAULT_CHOICE;
  return { from: addDays(today, 1 - Number(choice)), to: today, choice };
}
