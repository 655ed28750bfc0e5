import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useExtensionChoices, usePages, useRead, type Schemas } from '../../api';
import { useSession } from '../../session';
import {
  Button,
  Cell,
  Empty,
  Field,
  ListCount,
  PageHeader,
  PROCESSORS,
  Detail,
  Select,
  Status,
  Table,
  upTo,
  useFilters,
  type Column,
} from '../../ui';
import { ORDER_COLUMNS, stateOf, type Order } from '../../orders';
import css from './orders.module.css';
import { PlanDialog } from './plan-dialog';
import { Sales } from './sales';

const ANY = 'any';
const PROCESSOR_OPTIONS = [
  { value: ANY, label: 'Any processor' },
  ...Object.entries(PROCESSORS).map(([value, label]) => ({ value, label })),
];
const PROBLEM_OPTIONS = [
  { value: ANY, label: 'All orders' },
  { value: 'true', label: 'With a problem' },
  { value: 'false', label: 'Without a problem' },
];

type Query = Partial<Record<'extension' | 'buyer', string>> &
  Partial<Pick<Order, 'processor'>> & { readonly needsAttention?: 'true' | 'false' };
type Filter = 'extension' | 'processor' | 'buyer' | 'needsAttention';
const FILTERS: readonly Filter[] = ['extension', 'processor', 'buyer', 'needsAttention'];

/** What buyers bought, with what that made and what is wrong; a problem is solved here. Above it, what was sold. */
export function OrdersPage(): ReactElement {
  const { can } = useSession();
  const extensions = useExtensionChoices();
  const [search, set] = useFilters({ replace: true });
  const query = Object.fromEntries(
    FILTERS.flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  ) as Query;
  const list = usePages<Order>(['orders', query], (cursor, signal) =>
    answer(api.GET('/api/v1/orders', { params: { query: { ...query, cursor } }, signal })),
  );
  const all = useCount(query);
  const ofProblems: Query = { ...query, needsAttention: 'true' };
  const problems = useCount(ofProblems);
  const [unsolved, setUnsolved] = useState<Order | null>(null);
  const choose = (name: Filter) => (value: string) => set(name, value === ANY ? '' : value);
  const isFiltered = Object.keys(query).length > 0;
  return (
    <>
      <PageHeader title="Orders and sales" back={{ href: '/licenses', label: 'Licenses' }}>
        <Link href="/plans">Plans, processors and their notifications</Link>
      </PageHeader>
      <Sales />
      <section className={css.section} data-cards>
        <h2>Orders</h2>
        <div className={css.filters}>
          <Field label="Buyer" type="email" value={query.buyer ?? ''} onValue={choose('buyer')} autoComplete="off" />
          <Select
            label="Problems"
            value={query.needsAttention ?? ANY}
            onValue={choose('needsAttention')}
            options={PROBLEM_OPTIONS}
          />
          <Select
            label="Processor"
            value={query.processor ?? ANY}
            onValue={choose('processor')}
            options={PROCESSOR_OPTIONS}
          />
          <Select
            label="Extension"
            value={query.extension ?? ANY}
            onValue={choose('extension')}
            options={[
              { value: ANY, label: 'Any extension' },
              ...extensions.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
        <ListCount
          all={all === undefined ? undefined : upTo(all, 'order')}
          some={
            query.needsAttention === undefined && problems !== undefined && problems.count > 0
              ? { label: `${upTo(problems)} with a problem`, href: `/orders?${new URLSearchParams(ofProblems)}` }
              : undefined
          }
        />
        <Table
          caption="Orders"
          columns={columns(can('licenses:write') ? setUnsolved : null)}
          {...list.table}
          rowKey={({ id }) => id}
          empty={
            isFiltered ? (
              <Empty title="No order matches the filter" />
            ) : (
              <Empty title="No orders yet">
                <p>Each purchase that a payment processor reports appears here.</p>
              </Empty>
            )
          }
        />
        {unsolved !== null && <PlanDialog order={unsolved} onClose={() => setUnsolved(null)} />}
      </section>
    </>
  );
}

/** How many orders match a filter; undefined until that is known. */
function useCount(query: Query): Schemas['ListCount'] | undefined {
  const { data } = useRead({
    queryKey: ['orders', query, 'count'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/orders/count', { params: { query }, signal })),
  });
  return data;
}

const columns = (solve: ((order: Order) => void) | null): readonly Column<Order>[] => [
  {
    title: 'Buyer',
    cell: (order) => (
      <Cell>
        <Link href={`/orders/${order.id}`}>{order.buyer ?? 'not known'}</Link>
        <Detail>{order.number}</Detail>
      </Cell>
    ),
  },
  ...ORDER_COLUMNS,
  {
    title: 'Licenses',
    cell: (order) => {
      const [state, word] = stateOf(order);
      return (
        <Cell>
          <Status state={state}>{word}</Status>
          <Detail>{order.problem?.message}</Detail>
          {solve !== null && order.problem?.turn === 'you' && (
            <Button onClick={() => solve(order)}>Choose a plan…</Button>
          )}
        </Cell>
      );
    },
  },
];
