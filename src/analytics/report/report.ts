import type { Adoption, DayFigures, Granularity, Trend } from '../analytics.dto.js';
import { addDays, daysBetween, type Day } from '../days.js';
import {
  DIMENSIONS,
  foldRare,
  UNBOUNDED_DIMENSIONS,
  MAX_VALUES,
  OTHER,
  UNKNOWN,
  type Counted,
  type Dimension,
} from '../dimensions.js';
import type { Changes, Compared } from './compared.dto.js';
import { compared, comparedDays, meanOf } from './compared.js';
import { bucketsOf, type Range } from './range.js';
import type { Share, Shares } from './shares.dto.js';

/** Most values of a dimension, and most versions of the adoption. */
const MAX_SHOWN = 1000;
const MAX_ADOPTED = 20;

/** The figures of a day. */
export type Total = Omit<DayFigures, 'date' | 'lapsed'>;

/** A value on a day. */
export interface DayValue extends Counted {
  readonly day: Day;
  readonly dimension: Dimension;
}

/** The figures of a day without pings. */
const NO_INSTALLS: Total = { active: 0, new: 0, unique7: 0, unique28: 0 };

/** Returns the figures of a day; zeros when it has none. Pure. */
export const totalOf = (totals: ReadonlyMap<Day, Total> | undefined, day: Day): Total =>
  totals?.get(day) ?? NO_INSTALLS;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Returns how many installs no longer count on a day: the day before knew them, and this day does not. Pure. */
export function lapsedOn(day: Day, totals: ReadonlyMap<Day, Total>): number {
  const { unique28, new: fresh } = totalOf(totals, day);
  return Math.max(totalOf(totals, addDays(day, -1)).unique28 + fresh - unique28, 0);
}

/** Returns the figures of each day, week or month: the mean of active, the sum of new and lapsed, and the uniques of the last day. Pure. */
export function daysOf(range: Range, granularity: Granularity, totals: ReadonlyMap<Day, Total>): readonly DayFigures[] {
  return bucketsOf(range, granularity).map((days) => {
    const of = days.map((day) => totalOf(totals, day));
    const last = of.at(-1) ?? NO_INSTALLS;
    return {
      date: days[0] ?? range.from,
      active: Math.round(sumOf(of.map(({ active }) => active)) / days.length),
      new: sumOf(of.map((one) => one.new)),
      unique7: last.unique7,
      unique28: last.unique28,
      lapsed: sumOf(days.map((day) => lapsedOn(day, totals))),
    };
  });
}

/** Returns the first day on which installs were known; an empty one, which is before all days, where there is none. Pure. */
export const beganOn = (totals: ReadonlyMap<Day, Total>): Day =>
  [...totals].reduce((first, [day, { unique28 }]) => (unique28 > 0 && (first === '' || day < first) ? day : first), '');

/** Returns the last day that is compared: the last final one, or that of the range where the first installs came since. Pure. */
export function comparedThrough({ to }: Range, closedThrough: Day, totals: ReadonlyMap<Day, Total>): Day {
  const began = beganOn(totals);
  return began === '' || began > closedThrough ? to : closedThrough;
}

/** Returns the installs in 28 days against those before. Pure. */
export function usersChange(range: Range, closedThrough: Day, totals: ReadonlyMap<Day, Total>): Compared {
  const { now, before } = comparedDays(range, comparedThrough(range, closedThrough, totals));
  return compared(totalOf(totals, now.to).unique28, totalOf(totals, before.to).unique28);
}

/** Returns the figures of a range against those of the days before. Pure. */
export function changesOf(range: Range, closedThrough: Day, totals: ReadonlyMap<Day, Total>): Changes {
  const { now, before } = comparedDays(range, comparedThrough(range, closedThrough, totals));
  const began = beganOn(totals);
  const of = ({ from, to }: Range): Total & { readonly lapsed: number } => {
    const days = daysBetween(from, to);
    const sum = (figure: (day: Day) => number): number => sumOf(days.map(figure));
    return {
      ...totalOf(totals, to),
      active: meanOf(
        sum((day) => totalOf(totals, day).active),
        days,
        began,
      ),
      new: sum((day) => totalOf(totals, day).new),
      lapsed: sum((day) => lapsedOn(day, totals)),
    };
  };
  const [value, earlier] = [of(now), of(before)];
  return {
    ...now,
    beforeFrom: before.from,
    beforeTo: before.to,
    active: compared(value.active, earlier.active),
    new: compared(value.new, earlier.new),
    lapsed: compared(value.lapsed, earlier.lapsed),
    unique7: compared(value.unique7, earlier.unique7),
    unique28: usersChange(range, closedThrough, totals),
  };
}

/** Folds the values of open days in the way that closing them will. Pure. */
export function foldOpen(values: readonly DayValue[]): readonly DayValue[] {
  const groups = new Map<string, DayValue[]>();
  for (const value of values) {
    const key = `${value.day} ${value.dimension}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ day, dimension } = { day: '', dimension: 'version' as const }] = group;
    const most = UNBOUNDED_DIMENSIONS.includes(dimension) ? MAX_VALUES : Infinity;
    return foldRare(group, most).map(({ value, installs }) => ({ day, dimension, value, installs }));
  });
}

/** Sums values by dimension over all days. */
function summed(values: readonly Pick<DayValue, 'dimension' | 'value' | 'installs'>[]): Record<Dimension, Counted[]> {
  const sums = Object.fromEntries(DIMENSIONS.map((one) => [one, new Map<string, number>()])) as Record<
    Dimension,
    Map<string, number>
  >;
  for (const { dimension, value, installs } of values)
    sums[dimension].set(value, (sums[dimension].get(value) ?? 0) + installs);
  return Object.fromEntries(
    DIMENSIONS.map((one) => [one, [...sums[one]].map(([value, installs]) => ({ value, installs }))]),
  ) as Record<Dimension, Counted[]>;
}

/** Returns the shares of each dimension. Pure. */
export function sharesOf(values: readonly Pick<DayValue, 'dimension' | 'value' | 'installs'>[]): Shares {
  const sums = summed(values);
  const shares = (counted: readonly Counted[]): readonly Share[] => {
    const all = sumOf(counted.map(({ installs }) => installs));
    return foldRare(counted, MAX_SHOWN).map(({ value, installs }) => ({
      value: value === UNKNOWN ? null : value,
      installs,
      share: Math.round((installs / all) * 1e6) / 1e6,
    }));
  };
  return Object.fromEntries(DIMENSIONS.map((one) => [one, shares(sums[one])])) as unknown as Shares;
}

/** Returns the versions whose adoption is shown. */
export const adoptedOf = ({ version }: Shares): readonly string[] =>
  version.flatMap(({ value }) => (value === null || value === OTHER ? [] : [value])).slice(0, MAX_ADOPTED);

/** Returns the adoption of some versions; all others are `other`. Pure. */
export function adoptionOf(
  range: Range,
  granularity: Granularity,
  picked: readonly string[],
  values: readonly Pick<DayValue, 'day' | 'value' | 'installs'>[],
  totals: ReadonlyMap<Day, Total>,
): Adoption {
  const installsOf = seriesOf(values);
  const points = bucketsOf(range, granularity).map((days) => {
    const own = picked.map((version) => installsOf(days, version));
    const all = sumOf(days.map((day) => totalOf(totals, day).active));
    return { date: days[0] ?? range.from, installs: [...own, all - sumOf(own)] };
  });
  const hasOther = points.some(({ installs }) => installs.at(-1) !== 0);
  return hasOther
    ? { versions: [...picked, OTHER], points }
    : { versions: picked, points: points.map(({ date, installs }) => ({ date, installs: installs.slice(0, -1) })) };
}

/** Returns the installs of each value of a dimension over time, in the order of its shares. Pure. */
export function trendOf(
  range: Range,
  granularity: Granularity,
  shares: readonly Share[],
  values: readonly Pick<DayValue, 'day' | 'value' | 'installs'>[],
): Trend {
  const installsOf = seriesOf(values);
  const points = bucketsOf(range, granularity).map((days) => ({
    date: days[0] ?? range.from,
    installs: shares.map(({ value }) => installsOf(days, value ?? UNKNOWN)),
  }));
  return { values: shares.map(({ value }) => value), points };
}

/** Returns how to sum a value's installs over some days. */
function seriesOf(
  values: readonly Pick<DayValue, 'day' | 'value' | 'installs'>[],
): (days: readonly Day[], value: string) => number {
  const byDay = new Map<Day, Map<string, number>>();
  for (const { day, value, installs } of values) {
    const of = byDay.get(day) ?? new Map<string, number>();
    byDay.set(day, of.set(value, (of.get(value) ?? 0) + installs));
  }
  return (days, value) => sumOf(days.map((day) => byDay.get(day)?.get(value) ?? 0));
}
