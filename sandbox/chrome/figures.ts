import { type Check, count, fields, listOf, matching, optional, required, starCounts, summaryOf } from '../input.js';
import { invalid, pageOf } from './pages.js';

/** What the store counted of an item on a day. */
export interface DayOfItem {
  /** As `2030-01-31`. */
  readonly date: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** Daily users by dimension and value. */
  readonly users: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The part of an item that is about figures. */
export interface FiguresOfItem {
  /** Oldest first. */
  readonly days: readonly DayOfItem[];
  /** How many gave one star, two, and so on. */
  readonly stars: readonly number[];
}

/** What `queryMetrics` answers (src/stores/README.md#chrome-figures). */
const METRICS = ['installs', 'installs-7d', 'uninstalls', 'users', 'users-7d', 'impressions', 'page-views'];
const DIMENSIONS = [
  'os',
  'app-version',
  'country',
  'install-source',
  'install-type',
  'language',
  'enabled',
  ...['campaign', 'content', 'medium', 'source', 'term'].map((part) => `utm-${part}`),
];
const ROWS = { usual: 100, most: 1000 };

const counts: Check<Readonly<Record<string, number>>> = (value, what) =>
  Object.fromEntries(Object.entries(fields(value, what)).map(([name, number]) => [name, count(number, name)]));

/** A day as the control plane writes it: `{ date, metrics: { users: 10 }, users: { country: { CH: 4 } } }`. */
export const dayOfItem: Check<DayOfItem> = (value, what) => {
  const from = fields(value, what, ['date', 'metrics', 'users']);
  const users = fields(from['users'] ?? {}, 'users', DIMENSIONS);
  return {
    date: required(from, 'date', matching(/^\d{4}-\d\d-\d\d$/, 'a day such as 2030-01-31')),
    metrics: counts(fields(from['metrics'] ?? {}, 'metrics', METRICS), 'metrics'),
    users: Object.fromEntries(Object.entries(users).map(([name, values]) => [name, counts(values, name)])),
  };
};

/** Answers `queryMetrics`. What is divided by a dimension is known of `users` alone; other metrics have no rows then. */
export function queryMetrics({ days }: FiguresOfItem, { searchParams }: URL): unknown {
  const range = rangeOf(searchParams);
  const metrics = searchParams.getAll('metrics');
  const dimensions = searchParams.getAll('dimensions');
  assertKnown('metrics', metrics, METRICS);
  assertKnown('dimensions', dimensions, DIMENSIONS);
  if (metrics.length === 0) throw invalid('metrics must be specified.');
  if (dimensions.length > 1) throw invalid('At most one dimension can be specified.');
  const rows = days
    .filter(({ date }) => date >= range.from && date <= range.to)
    .flatMap((day) => rowsOf(day, metrics, dimensions[0]));
  return pageOf(searchParams, 'metricRows', rows, ROWS);
}

/** Answers `getRatingSummary`: counts are int64, so text, and zeros are left out. */
export function ratingSummary(name: string, { stars }: FiguresOfItem): unknown {
  const summary = summaryOf(stars);
  const names = ['one', 'two', 'three', 'four', 'five'].map((one) => `${one}StarRatingCount`);
  return {
    name: `${name}/ratingSummary`,
    ...(summary.count > 0 && { rating: summary.mean, ratingCount: String(summary.count) }),
    ...Object.fromEntries(names.flatMap((field, at) => ((stars[at] ?? 0) === 0 ? [] : [[field, String(stars[at])]]))),
  };
}

function rowsOf(
  { date, metrics, users }: DayOfItem,
  wanted: readonly string[],
  dimension: string | undefined,
): unknown[] {
  const [year, month, day] = date.split('-').map(Number);
  const valuesOf = (of: Readonly<Record<string, number>>): unknown[] =>
    wanted
      .filter((metric) => metric in of)
      .map((metric) => ({ metric, ...(of[metric] === 0 ? {} : { value: String(of[metric]) }) }));
  const row = (dimensionValues: readonly string[], of: Readonly<Record<string, number>>): unknown => ({
    date: { year, month, day },
    ...(dimensionValues.length > 0 && { dimensionValues }),
    metricValues: valuesOf(of),
  });
  if (dimension === undefined) return [row([], metrics)];
  if (!wanted.includes('users')) return [];
  return Object.entries(users[dimension] ?? {}).map(([value, number]) => row([value], { users: number }));
}

function rangeOf(query: URLSearchParams): { readonly from: string; readonly to: string } {
  const [from, to] = ['firstDate', 'lastDate'].map((name) => {
    const [year, month, day] = ['year', 'month', 'day'].map((part) => Number(query.get(`timeSpec.${name}.${part}`)));
    if (!year || !month || !day) throw invalid(`time_spec.${name} must be specified.`);
    return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  });
  if (from === undefined || to === undefined || from > to) throw invalid('time_spec is not a range of dates.');
  return { from, to };
}

function assertKnown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`Unsupported value in ${what}: ${unknown}.`);
}

/** The fields of an item that the control plane sets. */
export const readFigures = (from: Readonly<Record<string, unknown>>): Partial<FiguresOfItem> => {
  const days = optional(from, 'days', listOf(dayOfItem));
  const stars = optional(from, 'stars', starCounts);
  return { ...(days && { days }), ...(stars && { stars }) };
};
