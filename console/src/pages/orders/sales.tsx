import { useState, type ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { Empty, money, number, PROCESSORS, Detail, Select, Table, type Column } from '../../ui';
import css from './orders.module.css';

type Row = Schemas['SalesRow'];
type Group = NonNullable<Schemas['SalesSummary']['by']>;

const ALL = 'all';
const OPTIONS = [
  { value: ALL, label: 'Everything' },
  { value: 'plan', label: 'By plan' },
  { value: 'processor', label: 'By processor' },
  { value: 'country', label: 'By country' },
  { value: 'day', label: 'By day' },
];

/** What was sold, renewed and given back in the last four weeks, and the active subscriptions. Nothing of it is a test. */
export function Sales(): ReactElement {
  const [by, setBy] = useState<string>(ALL);
  const query = by === ALL ? {} : { by: by as Group };
  const read = useRead({
    queryKey: ['orders', 'sales', by],
    queryFn: async ({ signal }) => {
      const summary = await answer(api.GET('/api/v1/sales', { params: { query }, signal }));
      // The route answers as CSV only when asked.
      return typeof summary === 'string' ? null : summary;
    },
  });
  return (
    <section className={css.section} data-cards>
      <h2>Sales of the last 28 days</h2>
      <div className={css.filters}>
        <Select label="Sales" value={by} onValue={setBy} options={OPTIONS} />
      </div>
      <Table
        caption="Sales"
        columns={COLUMNS}
        rows={read.data?.rows}
        problem={read.problem}
        retry={read.retry}
        rowKey={({ group, currency }) => `${group} ${currency}`}
        empty={<Empty title="Nothing was sold" />}
      />
    </section>
  );
}

const sum = (count: number, value: number, { currency }: Row): string =>
  currency === null || (count === 0 && value === 0) ? '—' : `${number(count)}, ${money({ value, currency })}`;

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'For',
    cell: ({ name, group, currency }) =>
      name ?? (group === null ? (currency ?? 'not known') : (PROCESSORS[group as keyof typeof PROCESSORS] ?? group)),
  },
  { title: 'Sales', cell: (row) => sum(row.sales, row.salesAmount, row), isEnd: true },
  { title: 'Renewals', cell: (row) => sum(row.renewals, row.renewalsAmount, row), isEnd: true },
  {
    title: 'Refunds',
    cell: (row) => (
      <>
        {sum(row.refunds, row.refundsAmount, row)}
        {row.disputes !== 0 && <Detail>disputes: {sum(row.disputes, row.disputesAmount, row)}</Detail>}
      </>
    ),
    isEnd: true,
  },
  {
    title: 'Net',
    cell: ({ netAmount, currency }) => (currency === null ? '—' : money({ value: netAmount, currency })),
    isEnd: true,
  },
  {
    title: 'Active',
    cell: ({ activeSubscriptions }) => (activeSubscriptions === null ? '—' : number(activeSubscriptions)),
    isEnd: true,
  },
];
