import type { Series } from './series';

/** A figure on other days, one for each day of the plot. */
export interface Before {
  readonly days: readonly string[];
  readonly values: readonly (number | null)[];
}

/** Content of a plot. */
export interface Drawing {
  /** UTC days, without gaps. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** Lines from zero, areas on top of each other, or such areas whose values are shares. */
  readonly kind: 'lines' | 'areas' | 'stack';
  /** The same figure on as many days before, drawn behind a single line. */
  readonly before?: Before;
  /** Days on which something went live, each with the newest version's name. */
  readonly markers: ReadonlyMap<string, string>;
  /** From this day on figures still change. */
  readonly openFrom: string;
  readonly format: (value: number) => string;
}

/** Each area from the top of those below it, the last one at the top. */
export function stacked(series: readonly Series[]): readonly (readonly number[])[] {
  const sums = series[0]?.values.map(() => 0) ?? [];
  return series.map(({ values }) => values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))));
}

/**
 * How many of the days are drawn: those that are final, since a day that still counts looks like a collapse. Where none is final, all. Pure.
 */
export function drawnOf({ days, openFrom }: Pick<Drawing, 'days' | 'openFrom'>): number {
  const final = days.filter((day) => day < openFrom).length;
  return final === 0 ? days.length : final;
}

/** End of the scale: a stack at the whole, lines a little above the highest value, and never at zero. Pure. */
export const topOf = (kind: Drawing['kind'], highest: number): number =>
  kind === 'stack' ? 1 : Math.max(highest * 1.05, 1);

/** Labels a tick of the scale: there are no parts of an install. Pure. */
export const tickName = ({ kind, format }: Pick<Drawing, 'kind' | 'format'>, tick: number): string =>
  kind === 'stack' || Number.isInteger(tick) ? format(tick) : '';

/** A value in words: a day without one is none of zero. Pure. */
export const valueText = (value: number | null | undefined, format: Drawing['format']): string =>
  value == null ? '—' : format(value);

/** The day whose values are shown: the one that is pointed at, if it is among them, or the last one that is final. Pure. */
export function shownOf({ days, openFrom }: Pick<Drawing, 'days' | 'openFrom'>, pointed: number | null): number {
  // The day that was pointed at may lie outside of a range that was chosen since.
  if (pointed !== null && pointed < days.length) return pointed;
  return drawnOf({ days, openFrom }) - 1;
}

/** The day to which a key leads from another; undefined for a key that leads to none. Pure. */
export function dayAfter(key: string, shown: number, last: number): number | undefined {
  const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), last);
}
