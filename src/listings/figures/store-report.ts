import { daysBetween, OTHER, type Day } from '../../analytics/pure.js';
import { STORE_METRICS, type StoreMetric, type UserDimension } from '../../stores/pure.js';
import type { StoreDay, StoreShare, StoreVersions } from './store-report.dto.js';

/** A stored figure; `dimension` and `value` are empty for all users. */
export interface FigureRow {
  readonly targetId: string;
  readonly day: Day;
  readonly metric: StoreMetric;
  readonly dimension: UserDimension | '';
  readonly value: string;
  readonly amount: number;
}

/** The most values of a dimension that a report lists; the others are added up. */
const MAX_VALUES = 20;

/** The figures of each day of a range; null where the store told none. Pure. */
export function daysOf(
  range: { readonly from: Day; readonly to: Day },
  rows: readonly FigureRow[],
): readonly StoreDay[] {
  const told = new Map(
    rows.filter(({ dimension }) => dimension === '').map((row) => [`${row.day} ${row.metric}`, row.amount]),
  );
  return daysBetween(range.from, range.to).map((date) => ({
    date,
    ...(Object.fromEntries(STORE_METRICS.map((metric) => [metric, told.get(`${date} ${metric}`) ?? null])) as Record<
      StoreMetric,
      number | null
    >),
  }));
}

/** Users by each value of a dimension on the last day of which the store told it, most first. Pure. */
export function sharesOf(rows: readonly FigureRow[], dimension: UserDimension): readonly StoreShare[] {
  const own = rows.filter((row) => row.dimension === dimension);
  const last = own.reduce((day, row) => (row.day > day ? row.day : day), '');
  const found = own.filter(({ day }) => day === last).toSorted(byAmount);
  const rest = found.slice(MAX_VALUES).reduce((sum, { amount }) => sum + amount, 0);
  const shown = found
    .slice(0, MAX_VALUES)
    .map(({ value, amount }) => ({ value: value === '' ? null : value, users: amount }));
  return rest === 0 ? shown : [...shown, { value: OTHER, users: rest }];
}

/** How the users of a range were divided among versions on each day that the store told; other days are left out. Pure. */
export function versionsOf(rows: readonly FigureRow[]): StoreVersions {
  const own = rows.filter(({ dimension }) => dimension === 'version');
  const totals = new Map<string, number>();
  const byDay = new Map<Day, Map<string, number>>();
  for (const { day, value, amount } of own) {
    totals.set(value, (totals.get(value) ?? 0) + amount);
    const users = byDay.get(day) ?? new Map<string, number>();
    byDay.set(day, users.set(value, amount));
  }
  const versions = [...totals].toSorted(([, one], [, other]) => other - one).map(([value]) => value);
  const shown = versions.slice(0, MAX_VALUES);
  const hasOthers = versions.length > shown.length;
  return {
    versions: hasOthers ? [...shown, OTHER] : shown,
    points: [...byDay].map(([date, users]) => {
      const counts = shown.map((version) => users.get(version) ?? 0);
      const all = [...users.values()].reduce((sum, amount) => sum + amount, 0);
      const rest = all - counts.reduce((sum, amount) => sum + amount, 0);
      return { date, users: hasOthers ? [...counts, rest] : counts };
    }),
  };
}

const byAmount = (one: FigureRow, other: FigureRow): number =>
  other.amount - one.amount || (one.value < other.value ? -1 : 1);
