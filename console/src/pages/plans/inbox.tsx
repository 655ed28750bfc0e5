import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Empty, PROCESSORS, Select, Status, Table, Time, type Column, type State } from '../../ui';
import css from './plans.module.css';

type InboxItem = Schemas['InboxItem'];

const STATES: Readonly<Record<InboxItem['status'], State>> = {
  handled: 'live',
  ignored: 'off',
  unmapped: 'needs-you',
  waiting: 'moving',
};
const WORDS: Readonly<Record<InboxItem['status'], string>> = {
  handled: 'handled',
  ignored: 'ignored',
  unmapped: 'no plan matches',
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

/** What processors reported, what became of it and why; what did not find its plan is handled again here. */
export function Inbox(): ReactElement {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(
    ['status', 'processor'].flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  ) as Query;
  const list = usePages<InboxItem>(['webhooks', 'inbox', filter], (cursor, signal) => {
    const query = { ...filter, ...(cursor === undefined ? {} : { cursor }) };
    return answer(api.GET('/api/v1/webhooks/inbox', { params: { query }, signal }));
  });
  const replay = useWrite({
    write: (id: string) => answer(api.POST('/api/v1/webhooks/inbox/{id}/replay', { params: { path: { id } } })),
    changes: [['webhooks'], ['licenses']],
    says: ({ outcome }) => `Handled it again: it is ${outcome}.`,
  });
  const choose = (name: keyof Query) => (value: string) =>
    setSearch((before) => {
      if (value === ANY) before.delete(name);
      else before.set(name, value);
      return before;
    });
  const columns: readonly Column<InboxItem>[] = [
    {
      title: 'Event',
      cell: ({ kind, processor }) => (
        <div className={css.wrap}>
          {kind === '' ? 'without a name' : kind}
          <span className={css.sub}>{PROCESSOR_OPTIONS.find(({ value }) => value === processor)?.label}</span>
        </div>
      ),
    },
    { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    {
      title: 'Outcome',
      cell: ({ status, reason }) => (
        <div className={css.wrap}>
          <Status state={STATES[status]}>{WORDS[status]}</Status>
          <span className={css.sub}>{reason}</span>
        </div>
      ),
    },
    ...(can('licenses:write')
      ? [
          {
            title: 'Again',
            cell: ({ id, status }: InboxItem) =>
              status === 'handled' ? null : (
                <Button onClick={() => replay.mutate(id)} isBusy={replay.isPending && replay.variables === id}>
                  Handle again
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <section className={css.section}>
      <h2>Notifications</h2>
      <div className={css.filters}>
        <Select label="Outcome" value={filter.status ?? ANY} onValue={choose('status')} options={STATUS_OPTIONS} />
        <Select
          label="Processor"
          value={filter.processor ?? ANY}
          onValue={choose('processor')}
          options={PROCESSOR_OPTIONS}
        />
      </div>
      <Table
        caption="Payment notifications"
        columns={columns}
        rows={list.items}
        rowKey={({ id }) => id}
        problem={replay.error ?? list.problem}
        more={list.more}
        isFetchingMore={list.isFetchingMore}
        empty={
          <Empty title="No notification">
            <p>Each sale, renewal and refund that a processor reports stands here.</p>
          </Empty>
        }
      />
    </section>
  );
}
