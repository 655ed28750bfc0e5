import type { ReactElement } from 'react';
import { answer, api, usePages, useRead, type Schemas } from '../../api';
import {
  Button,
  bytes,
  copyText,
  Detail,
  Empty,
  number,
  ProblemNote,
  Skeleton,
  Status,
  StoreName,
  Table,
  Time,
  fullVersion,
} from '../../ui';
import { Facts, Section, Settings } from './settings';
import css from './settings.module.css';

type Instance = Schemas['Instance'];
type InstanceTenant = Schemas['InstanceTenant'];

const WAITING: Readonly<Record<keyof Instance['waiting'], string>> = {
  targetSeconds: 'Target',
  deliverySeconds: 'Webhook',
  mailSeconds: 'Mail',
  inboxSeconds: 'Payment notification',
  rollUpSeconds: 'Day of analytics',
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 40 s, 12 min, 5 h, 3 days */
function lasting(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / DAY)} days`;
}

/** State of the whole instance, for its operators. */
export function InstancePage(): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['instance'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/instance', { signal })),
  });
  if (data === undefined)
    return (
      <Settings title="Instance">
        {problem === null ? <Skeleton label="instance" lines={6} /> : <ProblemNote problem={problem} onRetry={retry} />}
      </Settings>
    );
  return (
    <Settings
      title="Instance"
      about="All of Pierhead here, whatever the tenant. Only its operators see this."
      actions={<Button onClick={() => copyText('report', data.report)}>Copy report</Button>}
    >
      <Facts facts={factsOf(data)} />
      <Section
        title="Oldest waiting"
        about="Seconds are usual. Minutes mean that workers do not keep up, or do not run."
      >
        <Facts
          facts={(Object.keys(WAITING) as (keyof Instance['waiting'])[]).map((kind) => {
            const seconds = data.waiting[kind];
            return [WAITING[kind], seconds === null ? 'Nothing' : lasting(seconds)];
          })}
        />
      </Section>
      <Section title="Keys" about="Two servers with the same fingerprint have the same key.">
        <Table
          caption="Keys"
          rows={data.keys}
          rowKey={({ setting, id }) => `${setting} ${id}`}
          empty={<Empty title="No keys" />}
          columns={[
            { title: 'Setting', cell: ({ setting }) => <code>{setting}</code> },
            { title: 'Id', cell: ({ id }) => id },
            { title: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
            { title: 'Use', cell: ({ current }) => (current ? 'writes and reads' : 'reads only') },
          ]}
        />
      </Section>
      <Tenants />
      <Refusals />
      <Section title="Report" about="For a bug report. It names no workspace and has no secret.">
        <pre className={css.code} tabIndex={0} aria-label="Report">
          {data.report}
        </pre>
      </Section>
    </Settings>
  );
}

/** The backup that ended last, and when the next one is due. */
function Backups({ lastBackup, backups }: Pick<Instance, 'lastBackup' | 'backups'>): ReactElement {
  const { outcome, finishedAt, name, sizeBytes, error } = lastBackup;
  return (
    <>
      <div>
        <Status state={outcome === 'failed' || backups.overdue ? 'rejected' : outcome === null ? 'off' : 'live'}>
          {outcome ?? 'none made yet'}
          {backups.overdue && ', overdue'}
        </Status>{' '}
        {finishedAt !== null && <Time at={finishedAt} />}
        {sizeBytes !== null && `, ${bytes(sizeBytes)}`}
      </div>
      {name !== null && <Detail>{name}</Detail>}
      {error !== null && (
        <Detail>
          {error}
          {backups.lastSucceededAt !== null && (
            <>
              {' '}
              One last succeeded <Time at={backups.lastSucceededAt} />.
            </>
          )}
        </Detail>
      )}
      <Detail>
        {backups.nextAt === null ? (
          'The service makes none by itself.'
        ) : (
          <>
            Next <Time at={backups.nextAt} />
          </>
        )}
      </Detail>
    </>
  );
}

const factsOf = ({ version, commit, node, database, checks, mail, storage, lastBackup, backups }: Instance) =>
  [
    ['Pierhead', fullVersion({ version, commit })],
    ['Node.js', node],
    ['PostgreSQL', `${database.version}, ${database.embedded ? 'embedded' : 'on a server'}`],
    [
      'Migrations',
      database.pendingMigrations.length === 0 ? (
        'All have run'
      ) : (
        <Status key="pending" state="needs_you">
          {database.pendingMigrations.join(', ')}
        </Status>
      ),
    ],
    [
      'Checks',
      checks.map(({ name, up }) => (
        <div key={name}>
          <Status state={up ? 'live' : 'rejected'}>{up ? name : `${name} is down`}</Status>
        </div>
      )),
    ],
    [
      'Mail',
      mail.configured ? (
        <div key="mail">
          {mail.lastSentAt === null ? (
            'None sent yet'
          ) : (
            <>
              Sent <Time at={mail.lastSentAt} />
            </>
          )}
          {mail.lastFailedAt !== null && (
            <Detail>
              failed <Time at={mail.lastFailedAt} />: {mail.lastError}
            </Detail>
          )}
        </div>
      ) : (
        <Status key="none" state="needs_you">
          no mail server is set
        </Status>
      ),
    ],
    ['Last backup', <Backups key="backups" lastBackup={lastBackup} backups={backups} />],
    ['Packages', `In a ${storage.kind}; ${bytes(storage.freeBytes)} free on this disk`],
  ] as const;

/** Refusals that no rule foresees: each is a rule to add. */
function Refusals(): ReactElement | null {
  const { data } = useRead({
    queryKey: ['instance', 'refusals'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/instance/refusals', { signal })),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Refusals that no rule foresees">
      <Table
        caption="Refusals that no rule foresees"
        rows={data.items}
        rowKey={({ store, words }) => `${store} ${words}`}
        empty={<Empty title="No refusals" />}
        columns={[
          { title: 'Store', cell: ({ store }) => <StoreName store={store} /> },
          { title: 'In the words of the store', cell: ({ words }) => <span className={css.broken}>{words}</span> },
          { title: 'Packages', isEnd: true, cell: ({ count }) => number(count) },
          { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
        ]}
      />
    </Section>
  );
}

function Tenants(): ReactElement {
  const list = usePages<InstanceTenant>(['instance', 'tenants'], (cursor, signal) =>
    answer(api.GET('/api/v1/instance/tenants', { params: { query: { cursor } }, signal })),
  );
  return (
    <Section title="Workspaces">
      <Table
        caption="Workspaces"
        {...list.table}
        rowKey={({ id }) => id}
        empty={<Empty title="No workspaces" />}
        columns={[
          {
            title: 'Workspace',
            cell: ({ name, quota }) => (
              <>
                <div className={css.broken}>{name}</div>
                <Detail>{quota}</Detail>
              </>
            ),
          },
          { title: 'Extensions', isEnd: true, cell: ({ extensions }) => number(extensions) },
          { title: 'Members', isEnd: true, cell: ({ members }) => number(members) },
          { title: 'Stored', isEnd: true, cell: ({ storedBytes }) => bytes(storedBytes) },
          {
            title: 'Last active',
            cell: ({ lastActiveAt }) => (lastActiveAt === null ? 'Never' : <Time at={lastActiveAt} />),
          },
        ]}
      />
    </Section>
  );
}
