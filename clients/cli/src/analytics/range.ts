import { usageFailure } from '../failure.js';

const DAY_MS = 86_400_000;

export interface RangeOptions {
  readonly from?: string;
  readonly to?: string;
  readonly last?: string;
}

/** UTC days that a report covers, as parameters of the API; absent ones are left to the service. @throws Failure for what is no day or no number of days */
export function rangeOf({ from, to, last }: RangeOptions, now: Date): { readonly from?: string; readonly to?: string } {
  for (const day of [from, to])
    if (day !== undefined && !isDay(day)) throw usageFailure(`"${day}" is not a valid day.`, 'Example: 2026-11-22.');
  const end = to === undefined ? {} : { to };
  if (last === undefined) return from === undefined ? end : { from, ...end };
  if (from !== undefined) throw usageFailure('--last and --from cannot be combined.');
  const [, days = '0'] = /^(\d{1,3})d?$/.exec(last) ?? [];
  if (Number(days) < 1) throw usageFailure(`"${last}" is not a number of days.`, 'Example: --last 90d.');
  const until = to === undefined ? now : new Date(`${to}T00:00:00Z`);
  return { from: new Date(until.getTime() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10), ...end };
}

function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
