import type { Schemas } from '../../api';

type Report = Schemas['AnalyticsReport'];
type Figures = Pick<Report, 'days' | 'previous' | 'changes'>;

/** Figures of installs, in the order of their cards. */
export const METRICS = {
  active: { label: 'Active installs', unit: 'a day' },
  new: { label: 'New installs', unit: '' },
  lapsed: { label: 'Silent for 28 days', unit: '' },
  unique7: { label: 'Active in 7 days', unit: '' },
  unique28: { label: 'Active in 28 days', unit: '' },
} as const;
export type Metric = keyof typeof METRICS;
export const ALL_METRICS = Object.keys(METRICS) as readonly Metric[];

/** What is shown of one figure. */
export interface Measured {
  readonly metric: Metric;
  readonly compared: Schemas['Compared'];
  readonly days: readonly string[];
  readonly values: readonly (number | null)[];
  readonly before: { readonly days: readonly string[]; readonly values: readonly number[] } | undefined;
}

/** Reads a figure of all installs. Pure. */
export const measured = (metric: Metric, { days, previous, changes }: Figures): Measured => ({
  metric,
  compared: changes[metric],
  days: days.map(({ date }) => date),
  values: days.map((day) => day[metric]),
  before: { days: previous.map(({ date }) => date), values: previous.map((day) => day[metric]) },
});

/** The figures that are known of a part of the installs; each day of the range has a place, also before their pings are kept. Pure. */
export function measuredSegment(segment: Schemas['Segment'], days: readonly string[]): readonly Measured[] {
  return (['active', 'new'] as const).flatMap((metric): Measured[] => {
    const compared = segment.changes[metric];
    if (compared === null) return [];
    const byDay = new Map(segment.days.map((day) => [day.date, day[metric]]));
    const { previous } = segment;
    return [
      {
        metric,
        compared,
        days,
        values: days.map((day) => byDay.get(day) ?? null),
        before:
          previous.length === 0
            ? undefined
            : { days: previous.map(({ date }) => date), values: previous.map((day) => day[metric] ?? 0) },
      },
    ];
  });
}
