import type { Schema } from '../api/service.js';
import { numbersTable } from '../terminal/numbers-table.js';
import type { Style } from '../terminal/style.js';
import { count } from './count.js';
import { curveText, GAP } from './curve.js';
import { percent } from './report.js';
import { storeName } from '../stores.js';

type Entry = Schema<'StoreReportEntry'>;
type Metric = Entry['metrics'][number];

const HEADS: Readonly<Record<Metric, string>> = {
  users: 'USERS',
  disabled: 'DISABLED',
  installs: 'INSTALLS',
  uninstalls: 'UNINSTALLS',
  weeklyDownloads: 'DOWNLOADS, 7 DAYS',
  rating: 'RATING',
  ratings: 'RATINGS',
};
/** Metrics that a curve can show, the best first. */
const CURVES = ['users', 'weeklyDownloads', 'installs'] as const satisfies readonly Metric[];

/** What each store counted, one table below the other. */
export function storesText({ stores }: Schema<'StoreReport'>, style: Style): string {
  if (stores.length === 0) return 'No target of this extension has an item at a store yet.';
  return stores.map((entry) => `${style('bold', titleOf(entry))}\n${bodyOf(entry, style)}`).join('\n\n');
}

const titleOf = ({ store, channel }: Entry): string => [storeName(store), channel].filter(Boolean).join(', ');

function bodyOf({ metrics, days, versions, readAt, failure }: Entry, style: Style): string {
  if (metrics.length === 0) return 'The API of this store tells no figures.';
  const told = days.filter((day) => metrics.some((metric) => day[metric] !== null));
  const last = versions.points.at(-1);
  const isNews = failure === null || told.length > 0;
  const nothing = readAt === null ? 'Not read yet.' : 'The store told nothing about these days.';
  const parts = [
    ...(failure === null ? [] : [`The last reading was not complete: ${failure}`]),
    ...curveOf(metrics, days, style),
    ...(isNews ? [told.length === 0 ? nothing : tableOf(metrics, days, style)] : []),
    ...(last === undefined ? [] : [`Versions on ${last.date}: ${sharesLine(versions.versions, last.users)}`]),
  ];
  return parts.join('\n');
}

function curveOf(metrics: readonly Metric[], days: Entry['days'], style: Style): readonly string[] {
  const shown = CURVES.find((metric) => metrics.includes(metric));
  if (shown === undefined) return [];
  const name = `${HEADS[shown].charAt(0)}${HEADS[shown].slice(1).toLowerCase()}`;
  const curve = curveText({ name, step: 'day', values: days.map((day) => day[shown]) }, style);
  return curve === '' ? [] : [curve];
}

const tableOf = (metrics: readonly Metric[], days: Entry['days'], style: Style): string =>
  numbersTable(
    ['DAY', ...metrics.map((metric) => HEADS[metric])],
    days.map((day) => [day.date, ...metrics.map((metric) => numberText(metric, day[metric]))]),
    style,
  );

const numberText = (metric: Metric, number: number | null): string => {
  if (number === null) return GAP;
  return metric === 'rating' ? number.toFixed(2) : count(number);
};

function sharesLine(versions: readonly string[], users: readonly number[]): string {
  const all = users.reduce((sum, one) => sum + one, 0);
  return versions
    .map((version, at) => ({ version, share: (users[at] ?? 0) / all }))
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share)
    .map(({ version, share }) => `${version} ${percent(share)}`)
    .join(', ');
}
