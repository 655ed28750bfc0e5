import type { Schemas } from '../api';
import { STORES, type StoreId } from '../ui/names';

/** A line of a plot, or an area of a stack. */
export interface Series {
  readonly label: string;
  /** One for each day; null on a day without a figure. */
  readonly values: readonly (number | null)[];
}

type Marker = Schemas['LiveMarker'];

/** Areas that can still be told apart. */
const MAX_AREAS = 5;

/** Keeps the first values, which are the most frequent, and adds up the rest, so that a stack stays readable. Pure. */
export function mostOf(series: readonly Series[], rest: string): readonly Series[] {
  if (series.length <= MAX_AREAS + 1) return series;
  const others = series.slice(MAX_AREAS);
  const values = others[0]?.values.map((_, at) => others.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)) ?? [];
  return [...series.slice(0, MAX_AREAS), { label: rest, values }];
}

/** Number of recent days that decide which values matter now. */
const RECENT_DAYS = 28;

/** Puts first what is most frequent in the last days, since over a year the versions of today are still few. The rest stays last. Pure. */
export function byRecentUse(series: readonly Series[], rest: string): readonly Series[] {
  const recent = ({ values }: Series): number =>
    values.slice(-RECENT_DAYS).reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return series.toSorted((one, other) =>
    one.label === rest ? 1 : other.label === rest ? -1 : recent(other) - recent(one),
  );
}

/** The share of each area of its day, from 0 to 1; 0 on a day without installs. Pure. */
export function sharesOf(series: readonly Series[]): readonly Series[] {
  const sums = series[0]?.values.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)) ?? [];
  return series.map(({ label, values }) => ({
    label,
    values: values.map((value, at) => (sums[at] === 0 ? 0 : (value ?? 0) / (sums[at] ?? 1))),
  }));
}

/** Versions that went live on each day, in words such as "1.4.0 at Chrome and Edge". Pure. */
export function releasesByDay(live: readonly Marker[]): ReadonlyMap<string, string> {
  const days = new Map<string, Map<string, string[]>>();
  for (const { date, version, store } of live) {
    const versions = days.get(date) ?? new Map<string, string[]>();
    const stores = versions.get(version) ?? [];
    const name = store === null ? 'a former store' : (STORES[store as StoreId] ?? store);
    if (!stores.includes(name)) stores.push(name);
    days.set(date, versions.set(version, stores));
  }
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  return new Map(
    [...days].map(([date, versions]) => [
      date,
      [...versions].map(([version, stores]) => `${version} at ${list.format(stores)}`).join(', '),
    ]),
  );
}
