import { useMemo, type ReactElement, type ReactNode } from 'react';
import type { Schemas } from '../../api';
import { day as dayName, number, percent } from '../../ui';
import { addDays } from './range';
import { nameOf, OTHERS, type Dimension } from './names';
import type { Drawing } from './drawing';
import { Plot } from './plot';
import { byRecentUse, mostOf, releasesByDay, sharesOf, type Series } from './series';
import { Shares } from './shares';
import css from './analytics.module.css';

type Report = Schemas['AnalyticsReport'];
type Days = Report['days'];

const NO_MARKERS: ReadonlyMap<string, string> = new Map();

type Counted = 'active' | 'new';

interface LineProps extends Pick<Report, 'days' | 'closedThrough' | 'live'> {
  readonly title: string;
  readonly counted: Counted;
}

function Line({ title, counted, days, closedThrough, live }: LineProps): ReactElement {
  const drawing = useMemo((): Drawing => {
    const series = [{ label: title, values: days.map((one) => one[counted]) }];
    const markers = new Map(live.map(({ date, version }) => [date, version]));
    const dates = days.map(({ date }) => date);
    return { days: dates, series, kind: 'lines', markers, openFrom: addDays(closedThrough, 1), format: number };
  }, [title, counted, days, closedThrough, live]);
  const releases = useMemo(() => releasesByDay(live), [live]);
  return <Plot title={title} unit="installs" drawing={drawing} releases={releases} />;
}

/** Active and new installs, of one extension or of all: each on its own scale, since the new ones are few. */
export function Activity(activity: Pick<Report, 'days' | 'closedThrough' | 'live'>): ReactElement {
  return (
    <>
      <Line title="Active installs" counted="active" {...activity} />
      <Finality closedThrough={activity.closedThrough} to={activity.days.at(-1)?.date ?? ''} />
      <Line title="New installs" counted="new" {...activity} />
    </>
  );
}

/** The figures of the last day that is final, or of the last day shown where that is earlier, or the first with installs. */
export function Figures({
  days,
  closedThrough,
}: {
  readonly days: Days;
  readonly closedThrough: string;
}): ReactElement {
  const closed = days.findLast(({ date }) => date <= closedThrough);
  const final = closed !== undefined && closed.unique28 > 0 ? closed : days.at(-1);
  const sum = days.reduce((all, one) => all + one.new, 0);
  const figures = [
    { label: `Active on ${dayName(final?.date ?? closedThrough)}`, value: final?.active ?? 0 },
    { label: 'Active in 7 days', value: final?.unique7 ?? 0 },
    { label: 'Active in 28 days', value: final?.unique28 ?? 0 },
    { label: 'New in the days shown', value: sum },
  ];
  return (
    <dl className={css.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Note on the final days, and on the meaning of an install. */
function Finality({ closedThrough, to }: { readonly closedThrough: string; readonly to: string }): ReactElement {
  const first = addDays(closedThrough, 1);
  const open = first === to ? `${dayName(to)} is` : 'later days are';
  return (
    <p className={css.note}>
      {to <= closedThrough
        ? 'All days shown are final.'
        : `Days are UTC days. They are final through ${dayName(closedThrough)}; ${open} still counting.`}{' '}
      An install counts once on each day on which it reports, without anything that identifies a person.
    </p>
  );
}

interface StackProps {
  readonly title: string;
  readonly report: Report;
  readonly values: readonly (string | null)[];
  readonly points: readonly { readonly date: string; readonly installs: readonly number[] }[];
  readonly dimension: Dimension;
}

function Stack({ title, report, values, points, dimension }: StackProps): ReactElement {
  const { closedThrough, live } = report;
  const all = useMemo(
    () =>
      values.map((value, at): Series => ({
        label: nameOf(dimension, value),
        values: points.map(({ installs }) => installs[at] ?? 0),
      })),
    [values, points, dimension],
  );
  const drawing = useMemo((): Drawing => {
    const series = sharesOf(mostOf(byRecentUse(all, OTHERS), OTHERS));
    const days = points.map(({ date }) => date);
    return { days, series, kind: 'stack', markers: NO_MARKERS, openFrom: addDays(closedThrough, 1), format: percent };
  }, [all, points, closedThrough]);
  const whole = useMemo(() => sharesOf(all), [all]);
  // Only versions have to do with what went live.
  const releases = useMemo(() => releasesByDay(dimension === 'version' ? live : []), [dimension, live]);
  return <Plot title={title} unit="shares of installs" drawing={drawing} whole={whole} releases={releases} />;
}

const isReported = (values: readonly (string | null)[]): boolean => values.some((value) => value !== null);

/** Everything that is known of one extension's installs. */
export function ReportView({ report }: { readonly report: Report }): ReactElement {
  const { days, shares, adoption, stores, licensed, live, closedThrough } = report;
  return (
    <>
      <Figures days={days} closedThrough={closedThrough} />
      <Activity days={days} closedThrough={closedThrough} live={live} />
      <Stack title="Versions" report={report} values={adoption.versions} points={adoption.points} dimension="version" />
      {isReported(stores.values) ? (
        <Stack title="Stores" report={report} values={stores.values} points={stores.points} dimension="store" />
      ) : (
        <NotReported title="Stores">
          No install said which store it came from. Pierhead’s client says it by itself; without the client, send{' '}
          <code>store</code> with the ping.
        </NotReported>
      )}
      {isReported(licensed.values) ? (
        <Stack
          title="Licensed and free"
          report={report}
          values={licensed.values}
          points={licensed.points}
          dimension="licensed"
        />
      ) : (
        <NotReported title="Licensed and free">
          No install said whether it is licensed. Call <code>{'ping({ licensed })'}</code> of Pierhead’s client; the
          ping says yes or no and nothing else about the license.
        </NotReported>
      )}
      <div className={css.grid}>
        <Shares title="Countries" dimension="country" shares={shares.country} />
        <Shares title="Languages" dimension="language" shares={shares.language} />
        <Shares title="Browsers" dimension="browser" shares={shares.browser} />
        <Shares title="Systems" dimension="os" shares={shares.os} />
      </div>
    </>
  );
}

function NotReported({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className={css.unsaid}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  );
}
