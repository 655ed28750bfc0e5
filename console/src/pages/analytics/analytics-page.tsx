import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  announce,
  Button,
  Change,
  Empty,
  DayField,
  ExtensionIcon,
  number,
  PageHeader,
  ProblemNote,
  saveFile,
  Select,
  Skeleton,
  Table,
} from '../../ui';
import { answer, api, asProblem, fetchFile, useRead, type Read, type Schemas } from '../../api';
import { FilterChips } from './breakdown';
import { Activity } from './cards';
import { askedValue, DIMENSION_NAMES, filterQuery, filtersOf, type Filter } from './filters';
import { ALL_METRICS, measured, type Measured, type Metric } from './metrics';
import { ReportView } from './report';
import { Segmented } from './segmented';
import { StoreFigures } from './store-figures';
import { CHOICES, dayOf, DEFAULT_CHOICE, rangeOf, type Range } from './range';
import css from './analytics.module.css';

/** The routes also answer CSV, which the console does not ask for here. */
type Overview = Schemas['AnalyticsOverview'];

const ALL = 'all';
const NO_RELEASES: Schemas['LiveMarker'][] = [];
const NO_FILTERS: readonly Filter[] = [];
const NO_FIGURES: readonly Measured[] = [];

const hasInstalls = (days: Overview['days']): boolean => days.some(({ unique28 }) => unique28 > 0);

function NoPings(): ReactElement {
  return (
    <Empty title="No installs reported on these days">
      <p>
        Active installs, versions, countries and stores appear here once your extension sends its daily ping. It sends
        the version and the language, and nothing that identifies a person.
      </p>
      <p>
        Call <code>ping()</code> of Pierhead’s client when the browser starts. If installs reported before, choose other
        days above.
      </p>
    </Empty>
  );
}

interface OverviewProps {
  readonly overview: Overview;
  readonly hrefOf: (extension: string) => string;
  readonly metric: string | null;
  readonly onMetric: (metric: Metric) => void;
}

function OverviewView({ overview, hrefOf, metric, onMetric }: OverviewProps): ReactElement {
  const { changes, closedThrough, extensions } = overview;
  const figures = useMemo(() => ALL_METRICS.map((one) => measured(one, overview)), [overview]);
  if (!hasInstalls(overview.days)) return <NoPings />;
  return (
    <>
      <Activity
        figures={figures}
        of={NO_FIGURES}
        chosen={metric}
        onChoose={onMetric}
        closedThrough={closedThrough}
        live={NO_RELEASES}
        compared={changes}
        name="All extensions"
      />
      <section aria-label="Extensions">
        <h2>Extensions</h2>
        <Table
          caption="Extensions"
          rows={extensions}
          rowKey={({ extensionId }) => extensionId}
          empty={null}
          columns={[
            {
              title: 'Extension',
              cell: ({ extensionId, name }) => (
                <span className={css.extension}>
                  <ExtensionIcon id={extensionId} size="small" />
                  <Link href={hrefOf(extensionId)}>{name}</Link>
                </span>
              ),
            },
            { title: '28 days', isEnd: true, cell: ({ unique28 }) => number(unique28) },
            { title: 'Change', isEnd: true, cell: ({ change }) => <Change value={change} /> },
            { title: '7 days', isEnd: true, cell: ({ unique7 }) => number(unique7) },
            { title: 'New', isEnd: true, cell: (one) => number(one.new) },
          ]}
        />
      </section>
    </>
  );
}

/** Changes of the address; null removes one. */
type Changed = Readonly<Record<string, string | null>>;

function withParams(search: string, changes: Changed): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes))
    if (value === null) params.delete(name);
    else params.set(name, value);
  return params.toString();
}

interface RangePickerProps {
  readonly range: Range;
  readonly onChange: Address['change'];
}

function RangePicker({ range, onChange }: RangePickerProps): ReactElement {
  const today = dayOf(Date.now());
  const choose = (choice: string): void =>
    onChange(
      choice === 'custom'
        ? { days: null, from: range.from, to: range.to }
        : { days: choice === DEFAULT_CHOICE ? null : choice, from: null, to: null },
    );
  // A day is typed in several letters, some of which make another day on the way.
  const typed = (day: Changed): void => {
    if (!Object.values(day).includes('')) onChange(day, { replace: true });
  };
  return (
    <>
      <Segmented label="Days" value={range.choice} options={CHOICES} onValue={choose} />
      {range.choice === 'custom' && (
        <div className={css.ownDays}>
          <DayField max={today} label="From" value={range.from} onValue={(from) => typed({ from })} />
          <DayField max={today} label="Through" value={range.to} onValue={(to) => typed({ to })} />
        </div>
      )}
    </>
  );
}

const ReviewsLink = ({ extension }: { readonly extension: string | null }): ReactElement => (
  <Link href={extension === null ? '/reviews' : `/reviews?extension=${encodeURIComponent(extension)}`}>
    What users wrote at the stores
  </Link>
);

/** What the address chooses, and how to choose something else: each choice is an entry of the browser's history, unless it replaces the last. */
interface Address {
  readonly extension: string | null;
  readonly range: Range;
  readonly metric: string | null;
  readonly filters: readonly Filter[];
  readonly hrefOf: (extension: string) => string;
  readonly change: (changes: Changed, options?: { readonly replace?: boolean }) => void;
}

const WITHOUT_FILTERS: Changed = Object.fromEntries(Object.keys(DIMENSION_NAMES).map((dimension) => [dimension, null]));

function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const search = params.toString();
  const extension = params.get('extension');
  return {
    extension,
    range: rangeOf(params, Date.now()),
    metric: params.get('metric'),
    filters: extension === null ? NO_FILTERS : filtersOf(params),
    hrefOf: (id) => `/analytics?${withParams(search, { extension: id })}`,
    change: (changes, options) => setParams(new URLSearchParams(withParams(search, changes)), options),
  };
}

/** Reads the report of an extension; while another of it is on its way, the page keeps the one before. */
function useReport({ extension, range: { from, to }, filters }: Address): Read<Schemas['AnalyticsReport']> {
  const asked = filterQuery(filters);
  return useRead({
    queryKey: ['extensions', extension, 'analytics', from, to, asked],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/extensions/{id}/analytics', {
          params: { path: { id: extension ?? '' }, query: { from, to, ...asked } },
          signal,
        }),
      ) as Promise<Schemas['AnalyticsReport']>,
    enabled: extension !== null,
    placeholderData: (previous, query) => (query?.queryKey[1] === extension ? previous : undefined),
  });
}

/** Saves the figures that the page shows. */
function SaveCsv({ extension, range: { from, to }, filters }: Address): ReactElement {
  const [isSaving, setIsSaving] = useState(false);
  const save = async (): Promise<void> => {
    setIsSaving(true);
    try {
      const path = extension === null ? 'analytics/overview' : `extensions/${encodeURIComponent(extension)}/analytics`;
      const query = new URLSearchParams({ from, to, ...filterQuery(filters) });
      const file = await fetchFile(`/api/v1/${path}?${query.toString()}`, { headers: { accept: 'text/csv' } });
      saveFile(await file.blob(), `analytics-${from}-${to}.csv`);
      announce('Saved the CSV.');
    } catch (thrown) {
      announce(asProblem(thrown).body.detail);
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Button onClick={() => void save()} isBusy={isSaving}>
      Save as CSV
    </Button>
  );
}

interface ReportPartProps {
  readonly report: Schemas['AnalyticsReport'];
  readonly extension: string;
  readonly names: readonly { readonly value: string; readonly label: string }[];
  readonly address: Address;
  readonly onFilter: (filter: Filter) => void;
  readonly onMetric: (metric: Metric) => void;
}

/** Figures of one extension: its pings, and what the stores count. */
function ReportPart({ report, extension, names, address, onFilter, onMetric }: ReportPartProps): ReactElement {
  const { filters, metric, range } = address;
  const name = names.find(({ value }) => value === extension)?.label ?? 'Extension';
  return (
    <>
      {hasInstalls(report.days) ? (
        <ReportView {...{ report, name, filters, onFilter, metric, onMetric }} />
      ) : (
        <NoPings />
      )}
      {filters.length === 0 && (
        <StoreFigures extension={extension} from={range.from} to={range.to} live={report.live} />
      )}
    </>
  );
}

/** Number of installs, their versions and their countries. */
export function AnalyticsPage(): ReactElement {
  const address = useAddress();
  const { extension, range, metric, filters, change } = address;
  const { from, to } = range;
  const overview = useRead({
    queryKey: ['analytics', 'overview', from, to],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/analytics/overview', { params: { query: { from, to } }, signal })) as Promise<Overview>,
    placeholderData: keepPreviousData,
  });
  const report = useReport(address);
  const onMetric = (next: Metric): void => change({ metric: next === 'active' ? null : next });
  const onFilter = ({ dimension, value }: Filter): void => {
    const isChosen = filters.some((one) => one.dimension === dimension && one.value === value);
    change({ [dimension]: isChosen ? null : askedValue(value) });
  };
  const names = overview.data?.extensions.map(({ extensionId, name }) => ({ value: extensionId, label: name })) ?? [];
  const shown = extension === null ? overview : report;
  return (
    <>
      <PageHeader title="Analytics" actions={shown.data !== undefined && <SaveCsv {...address} />}>
        <ReviewsLink extension={extension} />
      </PageHeader>
      <div className={css.pickers}>
        <Select
          label="Extension"
          value={extension ?? ALL}
          options={[{ value: ALL, label: 'All extensions' }, ...names]}
          placeholder={overview.data === undefined ? 'Loading' : 'Unknown extension'}
          onValue={(id) => change({ ...WITHOUT_FILTERS, extension: id === ALL ? null : id })}
        />
        <RangePicker range={range} onChange={change} />
      </div>
      <FilterChips filters={filters} onFilter={onFilter} onClear={() => change(WITHOUT_FILTERS)} />
      <div className={css.page} aria-busy={shown.isPlaceholder || undefined}>
        {shown.problem !== null && <ProblemNote problem={shown.problem} onRetry={shown.retry} />}
        {shown.data === undefined && shown.problem === null && <Skeleton label="figures" lines={12} />}
        {extension === null && overview.data !== undefined && (
          <OverviewView overview={overview.data} hrefOf={address.hrefOf} metric={metric} onMetric={onMetric} />
        )}
        {extension !== null && report.data !== undefined && (
          <ReportPart report={report.data} extension={extension} names={names} {...{ address, onFilter, onMetric }} />
        )}
      </div>
    </>
  );
}
