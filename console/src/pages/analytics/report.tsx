import { useMemo, useState, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { day as dayName, dayRange, number, percent } from '../../ui';
import { byRecentUse, mostOf, Plot, releasesByDay, sharesOf, type Drawing, type Series } from '../../plot';
import { Breakdown } from './breakdown';
import { Activity } from './cards';
import { filterText, type Filter } from './filters';
import { ALL_METRICS, measured, measuredSegment, type Metric } from './metrics';
import { nameOf, OTHERS, type Dimension } from './names';
import { addDays } from './range';
import { Segmented } from './segmented';
import css from './analytics.module.css';

type Report = Schemas['AnalyticsReport'];

const NO_MARKERS: ReadonlyMap<string, string> = new Map();

/** Properties that are shown over time. */
const OVER_TIME = {
  version: 'Versions',
  store: 'Stores',
  licensed: 'Licensed and free',
} as const;
type Traced = keyof typeof OVER_TIME;

/** How often each value of a property was reported on each day. Pure. */
function traceOf(report: Report, dimension: Traced): Pick<Schemas['Trend'], 'values' | 'points'> {
  if (dimension === 'version') return { values: report.adoption.versions, points: report.adoption.points };
  return dimension === 'store' ? report.stores : report.licensed;
}

/** How versions, stores and licenses spread: as shares of the installs, or in numbers. */
function OverTime({ report, name }: { readonly report: Report; readonly name: string }): ReactElement {
  const { closedThrough, live, from, to } = report;
  const [dimension, setDimension] = useState<Traced>('version');
  const [unit, setUnit] = useState<'share' | 'number'>('share');
  const { values, points } = traceOf(report, dimension);
  const all = useMemo(
    () =>
      values.map((value, at): Series => ({
        label: nameOf(dimension, value),
        values: points.map(({ installs }) => installs[at] ?? 0),
      })),
    [values, points, dimension],
  );
  const isShare = unit === 'share';
  const drawing = useMemo((): Drawing => {
    const most = mostOf(byRecentUse(all, OTHERS), OTHERS);
    return {
      days: points.map(({ date }) => date),
      series: isShare ? sharesOf(most) : most,
      kind: isShare ? 'stack' : 'areas',
      markers: NO_MARKERS,
      openFrom: addDays(closedThrough, 1),
      format: isShare ? percent : number,
    };
  }, [all, points, closedThrough, isShare]);
  const whole = useMemo(() => (isShare ? sharesOf(all) : all), [all, isShare]);
  // Only versions have to do with what went live.
  const releases = useMemo(() => releasesByDay(dimension === 'version' ? live : []), [dimension, live]);
  const isTold = (one: Traced): boolean => traceOf(report, one).values.some((value) => value !== null);
  const options = (Object.keys(OVER_TIME) as Traced[])
    .filter(isTold)
    .map((value) => ({ value, label: OVER_TIME[value] }));
  return (
    <Plot
      title={OVER_TIME[dimension]}
      unit={isShare ? 'shares of installs' : 'installs'}
      drawing={drawing}
      whole={whole}
      releases={releases}
      about={[`${name} · ${dayRange(from, to)}`]}
      choices={
        <>
          {options.length > 1 && (
            <Segmented label="Over time" value={dimension} options={options} onValue={setDimension} />
          )}
          <Segmented
            label="Unit"
            value={unit}
            options={[
              { value: 'share', label: 'Share' },
              { value: 'number', label: 'Installs' },
            ]}
            onValue={setUnit}
          />
        </>
      }
    />
  );
}

interface ReportViewProps {
  readonly report: Report;
  readonly name: string;
  readonly filters: readonly Filter[];
  readonly onFilter: (filter: Filter) => void;
  readonly metric: string | null;
  readonly onMetric: (metric: Metric) => void;
}

/** Everything that is known of one extension's installs, or of those with some properties. */
export function ReportView({ report, name, filters, onFilter, metric, onMetric }: ReportViewProps): ReactElement {
  const { segment, days, changes, live, closedThrough } = report;
  const all = useMemo(() => ALL_METRICS.map((one) => measured(one, report)), [report]);
  const part = useMemo(
    () =>
      segment === null
        ? null
        : measuredSegment(
            segment,
            days.map(({ date }) => date),
          ),
    [segment, days],
  );
  return (
    <>
      <Activity
        figures={part ?? all}
        of={part === null ? [] : all}
        chosen={metric}
        onChoose={onMetric}
        closedThrough={closedThrough}
        live={live}
        compared={segment === null ? changes : segment.changes}
        name={[name, ...filters.map(filterText)].join(' · ')}
      />
      {segment !== null && <SegmentNote segment={segment} from={report.from} />}
      <Breakdowns shares={segment?.shares ?? report.shares} filters={filters} onFilter={onFilter} />
      {segment === null && <OverTime report={report} name={name} />}
    </>
  );
}

/** How far back a part of the installs is known, and whether it is estimated. */
function SegmentNote({
  segment,
  from,
}: {
  readonly segment: Schemas['Segment'];
  readonly from: string;
}): ReactElement | null {
  const { pingsFrom, filters, sample } = segment;
  const notes = [
    pingsFrom > from &&
      `${filters.length > 1 ? 'Several filters reach' : 'The lists below reach'} back to ${dayName(pingsFrom)}: pings are deleted after 35 days.`,
    sample < 1 &&
      `${filters.length > 1 ? 'Numbers are' : 'The lists are'} estimated from ${percent(sample)} of the installs.`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : <p className={css.note}>{notes.join(' ')}</p>;
}

type BreakdownsProps = Pick<ReportViewProps, 'filters' | 'onFilter'> & { readonly shares: Schemas['Shares'] };

/** Installs by each property. */
function Breakdowns({ shares, filters, onFilter }: BreakdownsProps): ReactElement {
  const [browser, setBrowser] = useState<'browser' | 'browserVersion'>('browser');
  const list = { filters, onFilter };
  const of = (title: string, dimension: Dimension): ReactElement => (
    <Breakdown title={title} dimension={dimension} shares={shares[dimension]} {...list} />
  );
  return (
    <div className={css.grid}>
      {of('Countries', 'country')}
      {of('Versions', 'version')}
      <Breakdown
        title="Browsers"
        dimension={browser}
        shares={shares[browser]}
        {...list}
        choices={
          <Segmented
            label="Browsers by"
            value={browser}
            options={[
              { value: 'browser', label: 'Name' },
              { value: 'browserVersion', label: 'Version' },
            ]}
            onValue={setBrowser}
          />
        }
      />
      <Breakdown
        title="Stores"
        dimension="store"
        shares={shares.store}
        {...list}
        empty={
          <>
            No install said which store it came from. Pierhead’s client says it by itself; without the client, send{' '}
            <code>store</code> with the ping.
          </>
        }
      />
      {of('Languages', 'language')}
      {of('Systems', 'os')}
      <Breakdown
        title="Licensed and free"
        dimension="licensed"
        shares={shares.licensed}
        {...list}
        empty={
          <>
            No install said whether it is licensed. Call <code>{'ping({ licensed })'}</code> of Pierhead’s client; the
            ping says yes or no and nothing else about the license.
          </>
        }
      />
    </div>
  );
}
