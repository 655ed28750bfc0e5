import type { Cell } from '../../common/http/index.js';
import type { AnalyticsOverview, AnalyticsReport, Trend } from '../analytics.dto.js';
import { DIMENSIONS } from '../dimensions.js';

/** A report as rows of one figure each, which a spreadsheet can pivot: `date,figure,value,number,share`. */
export function reportRows({
  from,
  days,
  shares,
  adoption,
  stores,
  licensed,
  live,
}: AnalyticsReport): readonly (readonly Cell[])[] {
  return [
    ['date', 'figure', 'value', 'number', 'share'],
    ...days.flatMap(({ date, ...figures }) =>
      Object.entries(figures).map(([figure, number]): Cell[] => [date, figure, null, number, null]),
    ),
    ...DIMENSIONS.flatMap((dimension) =>
      shares[dimension].map(({ value, installs, share }): Cell[] => [from, dimension, value, installs, share]),
    ),
    ...adoption.points.flatMap(({ date, installs }) =>
      adoption.versions.map((version, at): Cell[] => [date, 'adoption', version, installs[at] ?? 0, null]),
    ),
    ...trendRows('storeOverTime', stores),
    ...trendRows('licensedOverTime', licensed),
    ...live.map(({ date, store, version }): Cell[] => [date, 'live', `${version} ${store ?? ''}`.trim(), null, null]),
  ];
}

const trendRows = (figure: string, { values, points }: Trend): readonly (readonly Cell[])[] =>
  points.flatMap(({ date, installs }) =>
    values.map((value, at): Cell[] => [date, figure, value, installs[at] ?? 0, null]),
  );

/** An overview as rows: the days of all extensions together, then one row per extension. */
export const overviewRows = ({ to, days, extensions }: AnalyticsOverview): readonly (readonly Cell[])[] => [
  ['date', 'extensionId', 'name', 'active', 'new', 'unique7', 'unique28'],
  ...days.map((day): Cell[] => [day.date, null, null, day.active, day.new, day.unique7, day.unique28]),
  ...extensions.map((one): Cell[] => [to, one.extensionId, one.name, one.active, one.new, one.unique7, one.unique28]),
];
