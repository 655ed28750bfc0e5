import { InvalidRequest } from '../../common/problems/index.js';
import type { Granularity, OverviewQuery } from '../analytics.dto.js';
import { addDays, daysBetween, isDay, startOf, type Day } from '../days.js';

const DEFAULT_DAYS = 28;
const MAX_DAYS = 400;

/** Days from the first to the last, both inclusive. */
export interface Range {
  readonly from: Day;
  readonly to: Day;
}

/** Reads the range of a query. Pure. */
export function rangeOf(query: OverviewQuery, today: Day): Range {
  const to = checkedDay('to', query.to) ?? today;
  const from = checkedDay('from', query.from) ?? addDays(to, 1 - DEFAULT_DAYS);
  if (to > today) refuse('to', `must not be after today, which is ${today} in UTC.`);
  if (from > to) refuse('from', 'must not be after `to`.');
  if (addDays(from, MAX_DAYS) <= to) refuse('from', `must be at most ${MAX_DAYS} days before the end of \`to\`.`);
  return { from, to };
}

function checkedDay(field: string, day: Day | undefined): Day | undefined {
  if (day !== undefined && !isDay(day)) refuse(field, 'must be a day of the calendar.');
  return day;
}

function refuse(field: string, message: string): never {
  throw new InvalidRequest([{ field, message }]);
}

/** Returns the whole months within a range: the first day of the first, and the first day after the last; both `from` when there are none. Pure. */
export function wholeMonthsOf({ from, to }: Range): { readonly first: Day; readonly next: Day } {
  const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`;
  const first = from === monthOf(from) ? from : monthOf(addDays(monthOf(from), 31));
  const next = monthOf(addDays(to, 1));
  return first < next ? { first, next } : { first: from, next: from };
}

/** Groups the days of a range by day, week from Monday, or month; the first and last group may be incomplete. Pure. */
export function bucketsOf({ from, to }: Range, granularity: Granularity): readonly (readonly Day[])[] {
  const buckets = new Map<Day, Day[]>();
  for (const day of daysBetween(from, to)) {
    const bucket = bucketOf(day, granularity);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), day]);
  }
  return [...buckets.values()];
}

function bucketOf(day: Day, granularity: Granularity): Day {
  if (granularity === 'day') return day;
  if (granularity === 'month') return day.slice(0, 7);
  return addDays(day, -((startOf(day).getUTCDay() + 6) % 7));
}
