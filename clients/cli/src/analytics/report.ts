import type { Schema } from '../api/service.js';
import { numbersTable } from '../terminal/numbers-table.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { count } from './count.js';
import { curveText } from './curve.js';

type Figures = Schema<'DayFigures'>;

/** Dimensions by which installs can be grouped. */
export type Dimension = keyof Schema<'Shares'>;

const HEADS: Readonly<Record<Dimension, string>> = {
  version: 'Versions',
  browser: 'Browsers',
  browserVersion: 'Browser versions',
  os: 'Systems',
  country: 'Countries',
  language: 'Languages',
  store: 'Stores',
  licensed: 'Licensed',
};
/** Dimensions that the report shows by default. */
const SHOWN: readonly Dimension[] = ['version', 'browser', 'os', 'country', 'language'];
const NAMED = 4;

/** A share from 0 to 1; one that is rounded to nothing is not called nothing. */
export const percent = (share: number): string => (share > 0 && share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`);
const valueText = (value: string | null): string => value ?? 'unknown';

const figuresTable = (
  first: string,
  rows: readonly (Omit<Figures, 'date' | 'lapsed'> & { readonly name: string })[],
  style: Style,
): string =>
  numbersTable(
    [first, 'ACTIVE', 'NEW', '7 DAYS', '28 DAYS'],
    rows.map(({ name, active, new: fresh, unique7, unique28 }) => [
      name,
      ...[active, fresh, unique7, unique28].map(count),
    ]),
    style,
  );

const NOTHING = 'No installs reported on these days.';

/** The figures of an extension, and below them who its installs are. */
export function reportText(report: Schema<'AnalyticsReport'>, style: Style): string {
  if (report.days.every(({ active }) => active === 0)) return NOTHING;
  const first = report.granularity.toUpperCase();
  const days = figuresTable(
    first,
    report.days.map((day) => ({ ...day, name: day.date })),
    style,
  );
  const shares = SHOWN.map((dimension) => [style('dim', HEADS[dimension]), sharesLine(report.shares[dimension])]);
  const curve = activeCurve(report, report.granularity, style);
  return [...curve, changesLine(report.changes), days, table(shares, style, { endsInProse: true })].join('\n\n');
}

/** Active installs as a curve. A day that is not closed is a gap, since its figure still grows. */
function activeCurve(
  { days, closedThrough }: Pick<Schema<'AnalyticsReport'>, 'days' | 'closedThrough'>,
  step: string,
  style: Style,
): readonly string[] {
  const values = days.map(({ date, active }) => (date > closedThrough ? null : active));
  const curve = curveText({ name: 'Active', step, values }, style);
  return curve === '' ? [] : [curve];
}

/** The figures of the final days, and how they differ from those of the days before. */
function changesLine({ from, to, beforeFrom, beforeTo, active, new: fresh, lapsed }: Schema<'Changes'>): string {
  const figures = [
    `${comparedText(active)} active a day`,
    `${comparedText(fresh)} new`,
    `${comparedText(lapsed)} silent for 28 days`,
  ];
  return `  ${figures.join(', ')}\n  ${from} to ${to} against ${beforeFrom} to ${beforeTo}`;
}

/** A figure with its change, such as "1,204 (+12 %)". Pure. */
function comparedText({ value, change }: Schema<'Compared'>): string {
  if (change === null) return count(value);
  const rounded = Math.round(Math.abs(change) * 100);
  return `${count(value)} (${rounded === 0 ? '±' : change > 0 ? '+' : '−'}${rounded} %)`;
}

/** The largest shares in a line, and how much is left. */
function sharesLine(shares: readonly Schema<'Share'>[]): string {
  const named = shares.filter(({ value }) => value !== 'other').slice(0, NAMED);
  const rest = shares.filter((share) => !named.includes(share)).reduce((sum, { share }) => sum + share, 0);
  const parts = named.map(({ value, share }) => `${valueText(value)} ${percent(share)}`);
  return (rest > 0 ? [...parts, `others ${percent(rest)}`] : parts).join(', ');
}

/** All shares by one dimension. */
export function sharesText(shares: readonly Schema<'Share'>[], dimension: Dimension, style: Style): string {
  if (shares.length === 0) return NOTHING;
  const rows = shares.map(({ value, installs, share }) => [valueText(value), count(installs), percent(share)]);
  return numbersTable([HEADS[dimension].toUpperCase(), 'INSTALL-DAYS', 'SHARE'], rows, style);
}

/** The figures of all extensions, and their sums on the last day. */
export function overviewText(overview: Schema<'AnalyticsOverview'>, style: Style): string {
  const { days, extensions } = overview;
  const last = days.at(-1);
  if (last === undefined || extensions.length === 0) return NOTHING;
  const sums = { ...last, new: days.reduce((sum, day) => sum + day.new, 0), name: 'All' };
  const figures = figuresTable('EXTENSION', extensions.length > 1 ? [...extensions, sums] : extensions, style);
  return [...activeCurve(overview, 'day', style), changesLine(overview.changes), figures].join('\n\n');
}
