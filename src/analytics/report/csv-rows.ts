import type { Cell } from '../../common/http/index.js';
import type { AnalyticsOverview, AnalyticsReport, Trend } from '../analytics.dto.js';
import { DIMENSIONS } from '../dimensions.js';
import type { Shares } from './shares.dto.js';

/** A report as rows of one figure each, which a spreadsheet can pivot: `date,figure,value,number,share`. */
export function reportRows({
  from,
  days,
  shares,
  adoption,
  stores,
  licensed,
  live,
  segment,
}: AnalyticsReport): readonly (readonly Cell[])[] {
  return [
    ['date', 'figure', 'value', 'number', 'share'],
    ...days.flatMap(({ date, ...figures }) =>
      Object.entries(figures).map(([figure, number]): Cell[] => [date, figure, null, number, null]),
    ),
    ...shareRows(shares, from, ''),
    ...adoption.points.flatMap(({ date, installs }) =>
      adoption.versions.map((version, at): Cell[] => [date, 'adoption', version, installs[at] ?? 0, null]),
    ),
    ...trendRows('storeOverTime', stores),
    ...trendRows('licensedOverTime', licensed),
    ...(segment?.days ?? []).flatMap(({ date, active, new: fresh }): Cell[][] => [
      [date, 'segmentActive', null, active, null],
      ...(fresh === null ? [] : [[date, 'segmentNew', null, fresh, null]]),
    ]),
    ...(segment === null ? [] : shareRows(segment.shares, segment.pingsFrom, 'segment.')),
    ...live.map(({ date, store, version }): Cell[] => [date, 'live', `${version} ${store ?? ''}`.trim(), null, null]),
  ];
}

const shareRows = (shares: Shares, from: string, prefix: string): readonly (readonly Cell[])[] =>
  DIMENSIONS.flatMap((dimension) =>
    shares[dimension].map(({ value, installs, share }): Cell[] => [
      from,
      `${prefix}${dimension}`,
      value,
      installs,
      share,
    ]),
  );

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
