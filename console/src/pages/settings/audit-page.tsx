import type { ReactElement } from 'react';
import { answer, api, usePages, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Actions, ButtonLink, Empty, exact, Field, Select, Table, Time, useFilters, wordsOf } from '../../ui';
import { Settings } from './settings';
import css from './settings.module.css';

type Entry = Schemas['AuditEntry'];

/** Kinds of subjects of entries; `any` means all of them. */
const SUBJECTS = [
  'any',
  'extension',
  'target',
  'artifact',
  'credential',
  'plan',
  'license',
  'access_token',
  'trust_rule',
  'session',
  'user',
  'member',
  'invitation',
  'tenant',
  'branding',
  'notification_endpoint',
] as const;
type Subject = (typeof SUBJECTS)[number];

/** `trust_rule.created` as “Trust rule created”; a tenant is called a workspace, as everywhere in the console. */
const words = (code: string): string => {
  const said = code.replace(/^tenant\b/, 'workspace').replaceAll(/[_.]/g, ' ');
  return said.slice(0, 1).toUpperCase() + said.slice(1);
};
const SUBJECT_OPTIONS = SUBJECTS.map((value) => ({ value, label: words(value) }));

/** The audit log. */
export function AuditPage(): ReactElement {
  const { can } = useSession();
  const [search, set] = useFilters({ replace: true });
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  const subject = SUBJECTS.find((one) => one === search.get('subject')) ?? 'any';
  const filter = {
    ...(subject === 'any' ? {} : { subjectType: subject }),
    ...(from === '' ? {} : { from: `${from}T00:00:00.000Z` }),
    ...(to === '' ? {} : { to: `${to}T23:59:59.999Z` }),
  };
  const list = usePages<Entry>(['audit', filter], (cursor, signal) =>
    answer(api.GET('/api/v1/audit', { params: { query: { ...filter, cursor } }, signal })),
  );
  const exported = (format: string): string =>
    `/api/v1/audit/export?${new URLSearchParams({ ...filter, format }).toString()}`;
  return (
    <Settings
      title="Audit log"
      about="Every change by a person, token or payment processor. Nobody can alter an entry."
      actions={
        can('audit:read') && (
          <Actions>
            <ButtonLink href={exported('csv')}>Export CSV</ButtonLink>
            <ButtonLink href={exported('ndjson')}>Export NDJSON</ButtonLink>
          </Actions>
        )
      }
    >
      <div className={css.filters}>
        <Select<Subject>
          label="About"
          value={subject}
          onValue={(value) => set('subject', value === 'any' ? '' : value)}
          options={SUBJECT_OPTIONS}
        />
        <Field label="From" type="date" value={from} onValue={(value) => set('from', value)} />
        <Field label="To" type="date" value={to} onValue={(value) => set('to', value)} />
      </div>
      <Table
        caption="Audit log"
        {...list.table}
        rowKey={({ id }) => id}
        empty={<Empty title="No matching entries">Entries that match these filters appear here.</Empty>}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          {
            title: 'Who',
            cell: ({ actor, address, country }) => (
              <>
                <div className={css.broken}>{actor.name}</div>
                <div className={css.second}>
                  {[actor.role ?? words(actor.kind).toLowerCase(), address, country].filter(Boolean).join(' · ')}
                </div>
              </>
            ),
          },
          {
            title: 'What',
            cell: ({ action, subject: about }) => (
              <>
                {words(action)}
                {about.name !== null && <div className={css.second}>{about.name}</div>}
              </>
            ),
          },
          { title: 'Change', cell: (entry) => <Change entry={entry} /> },
        ]}
      />
    </Settings>
  );
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A time as the API writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value as a person reads it: a text as it was written, a time in the reader's time zone, a list by its entries. */
function shown(value: unknown): string {
  if (isNothing(value)) return 'nothing';
  if (typeof value === 'string') return TIME.test(value) ? exact(value) : value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

/** The fields that changed. */
function Change({ entry }: { readonly entry: Entry }): ReactElement {
  const before = (entry.before ?? {}) as Readonly<Record<string, unknown>>;
  const after = (entry.after ?? {}) as Readonly<Record<string, unknown>>;
  const isSet = (name: string): boolean => !isNothing(before[name]) || !isNothing(after[name]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isSet);
  return (
    <>
      {names.map((name) => (
        <div key={name} className={css.broken}>
          {wordsOf(name)}:{' '}
          {entry.before !== null && (
            <>
              <bdi>{shown(before[name])}</bdi> →{' '}
            </>
          )}
          <bdi>{shown(after[name])}</bdi>
        </div>
      ))}
    </>
  );
}
