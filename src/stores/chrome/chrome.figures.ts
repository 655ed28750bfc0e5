import { asList, asNumber, asRecord, asText, truncate } from '../../common/net/pure.js';
import type { FigureRange, StoreFigure, StoreMetric, UserDimension } from '../figures.js';

/** Metrics of `queryMetrics` (src/stores/README.md#chrome-figures). */
export type ChromeMetric = 'users' | 'installs' | 'uninstalls';

/** A query: metrics, divided by at most one dimension (src/stores/README.md#chrome-figures). */
export interface MetricsQuery {
  readonly metrics: readonly ChromeMetric[];
  readonly dimension?: string;
}

/** Chrome's names of what users are divided by (src/stores/README.md#chrome-figures). */
const DIMENSIONS: Readonly<Record<UserDimension, string>> = {
  version: 'app-version',
  country: 'country',
  language: 'language',
};
/** Spellings of the value of `enabled` for disabled items; the reference lists none. */
const DISABLED: ReadonlySet<string> = new Set(['false', 'disabled']);
const MAX_VALUE = 64;

interface Row {
  readonly day: string;
  /** Empty without a dimension. */
  readonly value: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** Reads the figures of an item by several queries. @param query sends one, and answers all pages of rows */
export async function figuresOf(
  query: (query: MetricsQuery) => Promise<readonly unknown[]>,
): Promise<readonly StoreFigure[]> {
  const metrics: readonly ChromeMetric[] = ['users', 'installs', 'uninstalls'];
  const figures = (await query({ metrics })).flatMap(rowOf).flatMap(({ day, counts }) =>
    metrics.flatMap((metric): StoreFigure[] => {
      const amount = counts.get(metric);
      return amount === undefined ? [] : [{ day, metric, amount }];
    }),
  );
  const enabled = (await query({ metrics: ['users'], dimension: 'enabled' })).flatMap(rowOf);
  for (const { day, value, counts } of enabled) {
    const amount = counts.get('users');
    if (DISABLED.has(value.toLowerCase()) && amount !== undefined) figures.push({ day, metric: 'disabled', amount });
  }
  for (const [dimension, name] of Object.entries(DIMENSIONS) as [UserDimension, string][])
    for (const { day, value, counts } of (await query({ metrics: ['users'], dimension: name })).flatMap(rowOf)) {
      const amount = counts.get('users');
      if (amount !== undefined) figures.push({ day, metric: 'users', of: { dimension, value }, amount });
    }
  return figures;
}

/** Reads a `RatingSummary`: `rating` is a number, the counts are int64 in text (src/stores/README.md#chrome-figures). */
export function ratingsFrom(json: unknown, day: string): readonly StoreFigure[] {
  const answer = asRecord(json);
  const ratings = countFrom(answer?.['ratingCount']);
  const rating = asNumber(answer?.['rating']);
  const of = (metric: StoreMetric, amount: number | undefined): StoreFigure[] =>
    amount === undefined ? [] : [{ day, metric, amount }];
  // Proto JSON leaves zeros out, and nothing has a rating before somebody rated it.
  return [
    ...of('ratings', ratings ?? (answer === undefined ? undefined : 0)),
    ...of('rating', rating === 0 ? undefined : rating),
  ];
}

/** The days of a range as query parameters (src/stores/README.md#chrome-figures). */
export const timeSpec = ({ from, to }: FigureRange): readonly (readonly [string, string])[] =>
  (
    [
      ['firstDate', from],
      ['lastDate', to],
    ] as const
  ).flatMap(([name, day]) => {
    const [year = '', month = '', date = ''] = day.split('-');
    return [
      ['year', year],
      ['month', month],
      ['day', date],
    ].map(([part, value]) => [`timeSpec.${name}.${part}`, String(Number(value))] as const);
  });

function rowOf(json: unknown): Row[] {
  const row = asRecord(json);
  const day = dayFrom(row?.['date']);
  if (day === undefined) return [];
  const value = truncate(asText(asList(row?.['dimensionValues'])[0]) ?? '', MAX_VALUE);
  const counts = new Map<string, number>();
  for (const entry of asList(row?.['metricValues']).map(asRecord)) {
    const metric = asText(entry?.['metric']);
    // Proto JSON leaves a zero out.
    const count = countFrom(entry?.['value'] ?? 0);
    if (metric !== undefined && count !== undefined) counts.set(metric, count);
  }
  return [{ day, value, counts }];
}

/** A `google.type.Date`; undefined for one without year, month or day. */
function dayFrom(json: unknown): string | undefined {
  const date = asRecord(json);
  const [year, month, day] = [date?.['year'], date?.['month'], date?.['day']].map(asNumber);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return `${String(year).padStart(4, '0')}-${[month, day].map((part) => String(part).padStart(2, '0')).join('-')}`;
}

/** An int64 of proto JSON: digits in text, though numbers are valid too. */
function countFrom(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
