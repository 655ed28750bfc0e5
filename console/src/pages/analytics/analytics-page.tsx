import { keepPreviousData } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  announce,
  Button,
  Empty,
  Field,
  number,
  PageHeader,
  ProblemNote,
  saveFile,
  Select,
  Skeleton,
  Table,
} from '../../ui';
import { answer, api, asProblem, fetchFile, useRead, type Schemas } from '../../api';
import { Activity, Figures, ReportView } from './report';
import { StoreFigures } from './store-figures';
import { CHOICES, dayOf, DEFAULT_CHOICE, rangeOf, type Range } from './range';
import css from './analytics.module.css';

/** The routes also answer CSV, which the console does not ask for here. */
type Overview = Schemas['AnalyticsOverview'];

const ALL = 'all';
const NO_RELEASES: Schemas['LiveMarker'][] = [];

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

function OverviewView({ overview, search }: { readonly overview: Overview; readonly search: string }): ReactElement {
  const { days, closedThrough, extensions } = overview;
  return (
    <>
      <Figures days={days} closedThrough={closedThrough} />
      <Activity days={days} closedThrough={closedThrough} live={NO_RELEASES} />
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
              <Link href={`/analytics?${withParams(search, { extension: extensionId })}`}>{name}</Link>
            ),
          },
          { title: '28 days', isEnd: true, cell: ({ unique28 }) => number(unique28) },
          { title: '7 days', isEnd: true, cell: ({ unique7 }) => number(unique7) },
          { title: 'New', isEnd: true, cell: (one) => number(one.new) },
        ]}
      />
    </>
  );
}

function withParams(search: string, changes: Readonly<Record<string, string | null>>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes))
    if (value === null) params.delete(name);
    else params.set(name, value);
  return params.toString();
}

interface RangePickerProps {
  readonly range: Range;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

function RangePicker({ range, onChange }: RangePickerProps): ReactElement {
  const today = dayOf(Date.now());
  const choose = (choice: string): void =>
    onChange(
      choice === 'custom'
        ? { days: null, from: range.from, to: range.to }
        : { days: choice === DEFAULT_CHOICE ? null : choice, from: null, to: null },
    );
  const days = { type: 'date', max: today, required: true } as const;
  return (
    <>
      <Select label="Days" value={range.choice} options={CHOICES} onValue={choose} />
      {range.choice === 'custom' && (
        <>
          <Field {...days} label="From" value={range.from} onValue={(from) => from !== '' && onChange({ from })} />
          <Field {...days} label="Through" value={range.to} onValue={(to) => to !== '' && onChange({ to })} />
        </>
      )}
    </>
  );
}

const ReviewsLink = ({ extension }: { readonly extension: string | null }): ReactElement => (
  <Link href={extension === null ? '/reviews' : `/reviews?extension=${encodeURIComponent(extension)}`}>
    What users wrote at the stores
  </Link>
);

/** Number of installs, their versions and their countries. */
export function AnalyticsPage(): ReactElement {
  const [params, setParams] = useSearchParams();
  const [isSaving, setIsSaving] = useState(false);
  const search = params.toString();
  const range = rangeOf(params, Date.now());
  const { from, to } = range;
  const extension = params.get('extension');
  const overview = useRead({
    queryKey: ['analytics', 'overview', from, to],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/analytics/overview', { params: { query: { from, to } }, signal })) as Promise<Overview>,
    placeholderData: keepPreviousData,
  });
  const report = useRead({
    queryKey: ['extensions', extension, 'analytics', from, to],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/extensions/{id}/analytics', {
          params: { path: { id: extension ?? '' }, query: { from, to } },
          signal,
        }),
      ) as Promise<Schemas['AnalyticsReport']>,
    enabled: extension !== null,
    placeholderData: (previous, query) => (query?.queryKey[1] === extension ? previous : undefined),
  });
  const change = (changes: Readonly<Record<string, string | null>>): void =>
    setParams(new URLSearchParams(withParams(search, changes)));
  const saveCsv = async (): Promise<void> => {
    setIsSaving(true);
    try {
      const path = extension === null ? 'analytics/overview' : `extensions/${encodeURIComponent(extension)}/analytics`;
      const file = await fetchFile(`/api/v1/${path}?from=${from}&to=${to}`, { headers: { accept: 'text/csv' } });
      saveFile(await file.blob(), `analytics-${from}-${to}.csv`);
      announce('Saved the CSV.');
    } catch (thrown) {
      announce(asProblem(thrown).body.detail);
    } finally {
      setIsSaving(false);
    }
  };
  const names = overview.data?.extensions.map(({ extensionId, name }) => ({ value: extensionId, label: name })) ?? [];
  const shown = extension === null ? overview : report;
  return (
    <>
      <PageHeader
        title="Analytics"
        actions={
          shown.data !== undefined && (
            <Button onClick={() => void saveCsv()} isBusy={isSaving}>
              Save as CSV
            </Button>
          )
        }
      >
        <ReviewsLink extension={extension} />
      </PageHeader>
      <div className={css.pickers}>
        <Select
          label="Extension"
          value={extension ?? ALL}
          options={[{ value: ALL, label: 'All extensions' }, ...names]}
          placeholder={overview.data === undefined ? 'Loading' : 'Unknown extension'}
          onValue={(id) => change({ extension: id === ALL ? null : id })}
        />
        <RangePicker range={range} onChange={change} />
      </div>
      <div className={css.page} aria-busy={shown.isPlaceholder || undefined}>
        {shown.problem !== null && <ProblemNote problem={shown.problem} onRetry={shown.retry} />}
        {shown.data === undefined && shown.problem === null && <Skeleton label="figures" lines={12} />}
        {extension === null
          ? overview.data !== undefined &&
            (hasInstalls(overview.data.days) ? <OverviewView overview={overview.data} search={search} /> : <NoPings />)
          : report.data !== undefined && (
              <>
                {hasInstalls(report.data.days) ? <ReportView report={report.data} /> : <NoPings />}
                <StoreFigures extension={extension} from={from} to={to} live={report.data.live} />
              </>
            )}
      </div>
    </>
  );
}
