import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import {
  Button,
  Cell,
  Empty,
  DayField,
  money,
  PROCESSORS,
  Detail,
  Select,
  Status,
  Table,
  Time,
  useFilters,
  type Column,
  type State,
} from '../../ui';
import css from './plans.module.css';
import { SaleDialog, SalesDialog } from './sale-dialogs';
import { SALES } from './sales';
import { UnrelatedDialog } from './unrelated';

type InboxItem = Schemas['InboxItem'];

const STATES: Readonly<Record<InboxItem['status'], State>> = {
  received: 'underway',
  handled: 'live',
  ignored: 'off',
  unmapped: 'needs_you',
  waiting: 'underway',
};
const WORDS: Readonly<Record<InboxItem['status'], string>> = {
  received: 'about to be handled',
  handled: 'handled',
  ignored: 'ignored',
  unmapped: 'no license',
  waiting: 'waits for an address',
};
const ANY = 'any';
const option = (value: string, label: string): { readonly value: string; readonly label: string } => ({ value, label });
const STATUS_OPTIONS = [
  option(ANY, 'Any outcome'),
  ...Object.entries(WORDS).map(([value, word]) => option(value, word)),
];
const PROCESSOR_OPTIONS = [
  option(ANY, 'Any processor'),
  ...Object.entries(PROCESSORS).map(([value, name]) => option(value, name)),
];
type Query = Partial<Pick<InboxItem, 'status' | 'processor'>>;
type Filter = keyof Query | 'from' | 'to';

/** When a day of the reader's calendar begins, or a number of days later; undefined for text that is not a day. */
function beginning(day: string, later = 0): string | undefined {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The notifications of payment processors, each with its outcome and the reason. Those that made no license are cured here. */
export function Inbox(): ReactElement {
  const { can } = useSession();
  const [search, set] = useFilters({ replace: true });
  const filter = Object.fromEntries(
    ['status', 'processor'].flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  ) as Query;
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  const asked = { ...filter, from: beginning(from), to: beginning(to, 1) };
  const list = usePages<InboxItem>(['inbox', asked], (cursor, signal) => {
    const query = { ...asked, cursor };
    return answer(api.GET('/api/v1/webhooks/inbox', { params: { query }, signal }));
  });
  const replay = useWrite({
    write: (id: string) =>
      answer(api.POST('/api/v1/webhooks/inbox/{id}/replay', { params: { path: { id } }, body: {} })),
    changes: SALES,
    announcement: ({ status, reason }) => [`Replayed it: ${WORDS[status]}.`, reason ?? ''].join(' ').trim(),
  });
  const choose = (name: Filter) => (value: string) => set(name, value === ANY ? '' : value);
  const [sale, setSale] = useState<InboxItem | null>(null);
  const [unrelated, setUnrelated] = useState<InboxItem | null>(null);
  const [isAll, setAll] = useState(false);
  const isFiltered = [...search.keys()].length > 0;
  const columns: readonly Column<InboxItem>[] = [
    {
      title: 'Event',
      cell: ({ kind, processor, isTest }) => (
        <Cell>
          {kind === '' ? 'without a name' : kind}
          <Detail>
            {PROCESSORS[processor]}
            {isTest && ', test mode'}
          </Detail>
        </Cell>
      ),
    },
    {
      title: 'Buyer',
      cell: ({ orderId, buyer, order, amount }) => (
        <Cell>
          {orderId === null ? (buyer ?? 'not known') : <Link href={`/orders/${orderId}`}>{buyer ?? 'not known'}</Link>}
          {order !== null && <Detail>{order}</Detail>}
          {amount !== null && <Detail>{money(amount)}</Detail>}
        </Cell>
      ),
    },
    { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    {
      title: 'Outcome',
      cell: ({ status, reason }) => (
        <Cell>
          <Status state={STATES[status]}>{WORDS[status]}</Status>
          <Detail>{reason}</Detail>
        </Cell>
      ),
    },
    ...(can('licenses:write')
      ? [
          {
            title: 'Again',
            cell: (item: InboxItem) =>
              item.status === 'handled' || item.status === 'received' ? null : (
                <div className={css.actions}>
                  {item.status === 'unmapped' && <Button onClick={() => setSale(item)}>Issue…</Button>}
                  {item.status === 'unmapped' && <Button onClick={() => setUnrelated(item)}>Not ours…</Button>}
                  <Button
                    onClick={() => replay.mutate(item.id)}
                    isBusy={replay.isPending && replay.variables === item.id}
                  >
                    Replay
                  </Button>
                </div>
              ),
          },
        ]
      : []),
  ];
  return (
    <section className={css.section} data-cards>
      <h2>Payment notifications</h2>
      <div className={css.filters}>
        <Select label="Outcome" value={filter.status ?? ANY} onValue={choose('status')} options={STATUS_OPTIONS} />
        <Select
          label="Processor"
          value={filter.processor ?? ANY}
          onValue={choose('processor')}
          options={PROCESSOR_OPTIONS}
        />
        <DayField label="From" value={from} onValue={choose('from')} />
        <DayField label="To" value={to} onValue={choose('to')} />
        {can('licenses:write') && filter.status === 'unmapped' && (
          <Button onClick={() => setAll(true)}>Issue for all…</Button>
        )}
      </div>
      <Table
        caption="Payment notifications"
        columns={columns}
        {...list.table}
        rowKey={({ id }) => id}
        refusal={replay.error}
        empty={
          isFiltered ? (
            <Empty title="No notification matches the filter" />
          ) : (
            <Empty title="No payment notifications yet">
              <p>Each sale, renewal and refund that a processor reports appears here.</p>
            </Empty>
          )
        }
      />
      {sale !== null && <SaleDialog item={sale} onClose={() => setSale(null)} />}
      {unrelated !== null && <UnrelatedDialog item={unrelated} onClose={() => setUnrelated(null)} />}
      {isAll && <SalesDialog processor={filter.processor} onClose={() => setAll(false)} />}
    </section>
  );
}
