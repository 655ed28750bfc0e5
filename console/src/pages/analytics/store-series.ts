import type { Schemas } from '../../api';
import { STORES } from '../../ui/names';
import type { Series } from '../../plot';

type Entry = Schemas['StoreReportEntry'];
export type Metric = Entry['metrics'][number];

/** What stores count, in the order in which it is offered. */
export const METRICS: Readonly<Record<Metric, string>> = {
  users: 'Users',
  installs: 'Installs',
  uninstalls: 'Uninstalls',
  disabled: 'Users who disabled it',
  weeklyDownloads: 'Downloads in 7 days',
  rating: 'Rating',
  ratings: 'Number of ratings',
};

/** The name of an entry where several stand beside each other. Pure. */
export function entryName({ store, channel }: Pick<Entry, 'store' | 'channel'>, entries: readonly Entry[]): string {
  const isAlone = entries.filter((one) => one.store === store).length === 1;
  return isAlone || channel === null ? STORES[store] : `${STORES[store]}, ${channel}`;
}

/** What can be shown: what a store tells, and has told of these days. Pure. */
export const toldMetrics = (entries: readonly Entry[]): readonly Metric[] =>
  (Object.keys(METRICS) as Metric[]).filter((metric) =>
    entries.some(({ days }) => days.some((day) => day[metric] !== null)),
  );

/** A line for each store that told a metric; null on days that it did not tell. Pure. */
export const linesOf = (entries: readonly Entry[], metric: Metric): readonly Series[] =>
  entries
    .filter(({ days }) => days.some((day) => day[metric] !== null))
    .map((entry) => ({ label: entryName(entry, entries), values: entry.days.map((day) => day[metric]) }));
