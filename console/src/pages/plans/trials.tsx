import type { ReactElement } from 'react';
import { answer, api, useExtensionChoices, usePages, useRead, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Actions, Menu, MenuItem, MoreIcon, Table, Time, type Column } from '../../ui';
import css from './plans.module.css';

type Trial = Schemas['Trial'];
type Summary = Schemas['TrialSummary'];

const DAY_MS = 86_400_000;
const PROLONGED_DAYS = 7;

const summaryText = ({ running, converted, ended, refused, conversion }: Summary): string =>
  `${running} running. In 30 days ${converted} became licenses and ${ended} ended${
    conversion === null ? '' : `, ${Math.round(conversion * 100)} % converted`
  }. ${refused} requests were refused at a limit.`;

const STATES = { running: 'until', ended: 'ended', converted: 'became a license' } as const;

/** The trials of all extensions, and how they ended. Nothing while there is none. */
export function Trials(): ReactElement | null {
  const { can } = useSession();
  const extensions = useExtensionChoices();
  const list = usePages<Trial>(['trials'], (cursor, signal) =>
    answer(api.GET('/api/v1/trials', { params: { query: { cursor } }, signal })),
  );
  const summary = useRead<Summary>({
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
        <div className={css.wrap}>
          {tier}
          <span className={css.sub}>{nameOf(extensionId)}</span>
        </div>
      ),
    },
    { title: 'User', cell: ({ email, label }) => <div className={css.wrap}>{email ?? label ?? 'a device'}</div> },
    { title: 'Began', cell: ({ startedAt }) => <Time at={startedAt} /> },
    {
      title: 'State',
      cell: ({ state, endsAt, convertedAt }) => (
        <>
          {STATES[state]} <Time at={convertedAt ?? endsAt} />
        </>
      ),
    },
    ...(can('licenses:write')
      ? [
          {
            title: 'Change',
            cell: (trial: Trial) =>
              trial.state === 'converted' ? null : (
                <Actions>
                  <Menu
                    trigger={<MoreIcon />}
                    label={`More for the trial of ${trial.email ?? trial.label ?? 'a device'}`}
                  >
                    <MenuItem onSelect={() => move.mutate({ trial, endsAt: prolonged(trial) })}>
                      {trial.state === 'running' ? 'Prolong by 7 days' : 'Give 7 more days'}
                    </MenuItem>
                    {trial.state === 'running' && (
                      <MenuItem onSelect={() => move.mutate({ trial, endsAt: new Date(0).toISOString() })}>
                        End now
                      </MenuItem>
                    )}
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
      {summary.data !== undefined && <p>{summaryText(summary.data)}</p>}
      <Table
        caption="Trials"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={move.error}
        empty={null}
        columns={columns}
      />
    </section>
  );
}
