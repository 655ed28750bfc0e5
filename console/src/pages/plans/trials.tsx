import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useExtensionChoices, usePages, useRead, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import {
  Actions,
  Cell,
  Dialog,
  Form,
  Menu,
  MenuItem,
  MoreIcon,
  Detail,
  Status,
  Table,
  Time,
  type Column,
} from '../../ui';
import { TRIAL_STATES, trialsText } from './plan-words';
import css from './plans.module.css';

type Trial = Schemas['Trial'];

const DAY_MS = 86_400_000;
const PROLONGED_DAYS = 7;

/** Whose trial it is, as far as that is known. */
const userOf = ({ email, label }: Trial): string => email ?? label ?? 'a device';

/** The trials of all extensions, and how they ended. Nothing while there is none. */
export function Trials(): ReactElement | null {
  const { can } = useSession();
  const [forgotten, setForgotten] = useState<Trial | null>(null);
  const extensions = useExtensionChoices();
  const list = usePages<Trial>(['trials'], (cursor, signal) =>
    answer(api.GET('/api/v1/trials', { params: { query: { cursor } }, signal })),
  );
  const summary = useRead({
    queryKey: ['trials', 'summary'],
    enabled: (list.items?.length ?? 0) > 0,
    queryFn: ({ signal }) => answer(api.GET('/api/v1/trials/summary', { signal })),
  });
  const move = useWrite({
    write: ({ trial: { id, updatedAt }, endsAt }: { readonly trial: Trial; readonly endsAt: string }) =>
      answer(
        api.PATCH('/api/v1/trials/{id}', {
          params: { path: { id }, header: { 'If-Match': `"${updatedAt}"` } },
          body: { endsAt },
        }),
      ),
    changes: [['trials']],
    announcement: ({ state }) => (state === 'running' ? 'The trial runs longer.' : 'The trial has ended.'),
  });
  if (list.items === undefined || list.items.length === 0) return null;
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '';
  const prolonged = ({ endsAt }: Trial): string =>
    new Date(Math.max(Date.parse(endsAt), Date.now()) + PROLONGED_DAYS * DAY_MS).toISOString();
  const columns: readonly Column<Trial>[] = [
    {
      title: 'Plan',
      cell: ({ tier, extensionId }) => (
        <Cell>
          {tier}
          <Detail>{nameOf(extensionId)}</Detail>
        </Cell>
      ),
    },
    { title: 'User', cell: (trial) => <Cell>{userOf(trial)}</Cell> },
    { title: 'Began', cell: ({ startedAt }) => <Time at={startedAt} /> },
    {
      title: 'State',
      cell: ({ state, endsAt, convertedAt, licenseId }) => {
        const [tone, word] = TRIAL_STATES[state];
        return (
          <Status state={tone}>
            <span>
              {licenseId === null ? word : <Link href={`/licenses/${licenseId}`}>{word}</Link>}{' '}
              <Time at={convertedAt ?? endsAt} />
            </span>
          </Status>
        );
      },
    },
    ...(can('licenses:write')
      ? [
          {
            title: 'Change',
            cell: (trial: Trial) => (
              <Actions>
                <Menu trigger={<MoreIcon />} label={`More for the trial of ${userOf(trial)}`}>
                  {trial.state !== 'converted' && (
                    <MenuItem onSelect={() => move.mutate({ trial, endsAt: prolonged(trial) })}>
                      {trial.state === 'running' ? 'Prolong by 7 days' : 'Give 7 more days'}
                    </MenuItem>
                  )}
                  {trial.state === 'running' && (
                    <MenuItem onSelect={() => move.mutate({ trial, endsAt: new Date(0).toISOString() })}>
                      End now
                    </MenuItem>
                  )}
                  <MenuItem onSelect={() => setForgotten(trial)}>Forget…</MenuItem>
                </Menu>
              </Actions>
            ),
          },
        ]
      : []),
  ];
  return (
    <section className={css.section} data-cards>
      <h2>Trials</h2>
      {summary.data !== undefined && <p>{trialsText(summary.data)}</p>}
      <Table
        caption="Trials"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={move.error}
        empty={null}
        columns={columns}
      />
      {forgotten !== null && <ForgetTrial trial={forgotten} onClose={() => setForgotten(null)} />}
    </section>
  );
}

/** Deletes a trial, after which its device is a new one. */
function ForgetTrial({ trial, onClose }: { readonly trial: Trial; readonly onClose: () => void }): ReactElement {
  const forget = useWrite({
    write: () =>
      answer(
        api.DELETE('/api/v1/trials/{id}', {
          params: { path: { id: trial.id }, header: { 'If-Match': `"${trial.updatedAt}"` } },
        }),
      ),
    changes: [['trials']],
    announcement: () => 'The trial is forgotten.',
  });
  return (
    <Dialog
      title="Forget the trial"
      description={
        <>
          Nothing of the trial of <bdi>{userOf(trial)}</bdi> stays. If it runs, it ends, and the device and its user can
          begin another one.
        </>
      }
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => forget.mutate(undefined, { onSuccess: onClose })}
        problem={forget.error}
        submit="Forget"
        kind="danger"
        isBusy={forget.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}
