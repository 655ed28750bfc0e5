import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { number, percent, ProblemNote, Select, Skeleton, Time } from '../../ui';
import { OTHERS } from './names';
import { addDays } from './range';
import { byRecentUse, mostOf, Plot, releasesByDay, sharesOf, type Drawing, type Series } from '../../plot';
import { entryName, linesOf, METRICS, toldMetrics, type Metric } from './store-series';
import css from './analytics.module.css';

type Report = Schemas['StoreReport'];
type Entry = Schemas['StoreReportEntry'];
type Live = readonly Schemas['LiveMarker'][];

const NO_MARKERS: ReadonlyMap<string, string> = new Map();
const ratingText = (rating: number): string => rating.toFixed(2);

interface StoreFiguresProps {
  readonly extension: string;
  readonly from: string;
  readonly to: string;
  readonly live: Live;
}

/** What the stores count of an extension, side by side: apart from pings, since a store counts in its own way. */
export function StoreFigures({ extension, from, to, live }: StoreFiguresProps): ReactElement {
  const report = useRead({
    queryKey: ['extensions', extension, 'store-figures', from, to],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/analytics/stores', { params: { query: { extension, from, to } }, signal }),
      ) as Promise<Report>,
    placeholderData: keepPreviousData,
  });
  return (
    <section className={css.page} aria-label="Counted by the stores">
      <h2>Counted by the stores</h2>
      {report.problem !== null && <ProblemNote problem={report.problem} onRetry={report.retry} />}
      {report.data === undefined && report.problem === null && <Skeleton label="figures of the stores" lines={6} />}
      {report.data !== undefined && <Stores report={report.data} live={live} />}
    </section>
  );
}

function Stores({ report, live }: { readonly report: Report; readonly live: Live }): ReactElement {
  const { stores, to } = report;
  const [chosen, setChosen] = useState<Metric>('users');
  const told = toldMetrics(stores);
  const metric = told.includes(chosen) ? chosen : told[0];
  const releases = useMemo(() => releasesByDay(live), [live]);
  const drawing = useMemo((): Drawing | null => {
    if (metric === undefined) return null;
    return {
      days: stores[0]?.days.map(({ date }) => date) ?? [],
      series: linesOf(stores, metric),
      kind: 'lines',
      markers: new Map(live.map(({ date, version }) => [date, version])),
      openFrom: addDays(to, 1),
      format: metric === 'rating' ? ratingText : number,
    };
  }, [stores, metric, live, to]);
  return (
    <>
      {metric !== undefined && drawing !== null && (
        <>
          <div className={css.pickers}>
            <Select
              label="Figure"
              value={metric}
              options={told.map((value) => ({ value, label: METRICS[value] }))}
              onValue={(value) => setChosen(value)}
            />
          </div>
          <Plot
            title={`${METRICS[metric]} at the stores`}
            unit="the count of each store"
            drawing={drawing}
            releases={releases}
          />
        </>
      )}
      <ul className={css.readings}>
        {stores.map((entry) => (
          <li key={entry.targetId}>
            <b>{entryName(entry, stores)}</b> <Reading entry={entry} />
          </li>
        ))}
      </ul>
      {stores.length === 0 && <p className={css.note}>No target of this extension has an item at a store yet.</p>}
      {stores
        .filter(({ versions }) => versions.points.length > 0)
        .map((entry) => (
          <Versions key={entry.targetId} entry={entry} name={entryName(entry, stores)} to={to} releases={releases} />
        ))}
    </>
  );
}

/** When a store was read, or why not. */
function Reading({ entry: { metrics, readAt, failure } }: { readonly entry: Entry }): ReactElement {
  if (metrics.length === 0) return <>tells no figures by its API.</>;
  if (failure !== null) return <>could not be read in full: {failure}</>;
  if (readAt === null) return <>has not been read yet.</>;
  return (
    <>
      was read <Time at={readAt} />.
    </>
  );
}

interface VersionsProps {
  readonly entry: Entry;
  readonly name: string;
  readonly to: string;
  readonly releases: ReadonlyMap<string, string>;
}

/** How versions spread among a store's users. */
function Versions({ entry: { versions }, name, to, releases }: VersionsProps): ReactElement {
  const all = useMemo(
    () =>
      versions.versions.map((version, at): Series => ({
        label: version === 'other' ? OTHERS : version,
        values: versions.points.map(({ users }) => users[at] ?? 0),
      })),
    [versions],
  );
  const drawing = useMemo((): Drawing => {
    const days = versions.points.map(({ date }) => date);
    const series = sharesOf(mostOf(byRecentUse(all, OTHERS), OTHERS));
    return { days, series, kind: 'stack', markers: NO_MARKERS, openFrom: addDays(to, 1), format: percent };
  }, [all, versions, to]);
  const whole = useMemo(() => sharesOf(all), [all]);
  return (
    <Plot title={`Versions at ${name}`} unit="shares of users" drawing={drawing} whole={whole} releases={releases} />
  );
}
