import { addDays, countDays, type Day } from '../days.js';
import type { Compared } from './compared.dto.js';
import type { Range } from './range.js';

/** Returns as many days before a range as it has. Pure. */
export function previousOf({ from, to }: Range): Range {
  const length = countDays(from, to);
  return { from: addDays(from, -length), to: addDays(to, -length) };
}

/**
 * Returns the days whose figures are compared: those of a range that are final, since a day that still counts looks like a loss, or all
 * where none is; and those as many days earlier as the range has, so that weeks meet the same weekdays. Pure.
 */
export function comparedDays({ from, to }: Range, closedThrough: Day): { readonly now: Range; readonly before: Range } {
  const last = from <= closedThrough && closedThrough < to ? closedThrough : to;
  const length = countDays(from, to);
  return { now: { from, to: last }, before: { from: addDays(from, -length), to: addDays(last, -length) } };
}

/** Returns the mean of days of which those before the first installs do not count, since they would belittle a beginning. Pure. */
export const meanOf = (sum: number, days: readonly Day[], began: Day): number =>
  Math.round(sum / Math.max(days.filter((day) => day >= began).length, 1));

/** Returns a figure beside the one before it, null for unknown, and the change as a share of that; none of nothing. Pure. */
export const compared = (value: number, before: number | null): Compared => ({
  value,
  before,
  change: before === null || before === 0 ? null : Math.round((value / before - 1) * 1e6) / 1e6,
});
