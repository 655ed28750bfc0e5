import type { ReactElement } from 'react';
import { answer, api, useMemberChoices, usePages, type Schemas } from '../../api';
import { auditColumns, entryWords } from '../../audit';
import { useSession } from '../../session';
import { Actions, ButtonLink, Empty, DayField, Select, Table, useFilters } from '../../ui';
import { Settings } from './settings';
import css from './settings.module.css';

type Entry = Schemas['AuditEntry'];

const ANY = 'any';
/** Kinds of subjects of entries; `any` means all of them. */
const SUBJECTS = [
  ANY,
  'extension',
  'target',
  'signing_key',
  'artifact',
  'approval',
  'rejection',
  'finding',
  'review',
  'credential',
  'plan',
  'license',
  'license_batch',
  'license_import',
  'trial',
  'order',
  'inbox_item',
  'unrelated_product',
  'access_token',
  'trust_rule',
  'session',
  'user',
  'member',
  'invitation',
  'tenant',
  'branding',
  'notification_endpoint',
  'notification_delivery',
] as const;
type Subject = (typeof SUBJECTS)[number];

const SUBJECT_OPTIONS = SUBJECTS.map((value) => ({ value, label: entryWords(value) }));

/** The filters that are not empty. */
const given = <Name extends string>(filter: Readonly<Record<Name, string>>): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as Partial<Record<Name, string>>;

/** The address of the log with another value of some of its filters. */
function logWith(search: URLSearchParams, filter: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(filter)) next.set(name, value);
  return `/settings/audit?${next.toString()}`;
}

/** The audit log. */
export function AuditPage(): ReactElement {
  const { can } = useSession();
  const [search, set] = useFilters({ replace: true });
  const value = (name: string): string => search.get(name) ?? '';
  const [from, to, actorId, subjectId] = [value('from'), value('to'), value('actor'), value('id')];
  const subject = SUBJECTS.find((one) => one === value('subject')) ?? ANY;
  const filter = given({
    actorId,
    subjectType: subject === ANY ? '' : subject,
    subjectId,
    from: from === '' ? '' : `${from}T00:00:00.000Z`,
    to: to === '' ? '' : `${to}T23:59:59.999Z`,
  });
  const list = usePages<Entry>(['audit', filter], (cursor, signal) =>
    answer(api.GET('/api/v1/audit', { params: { query: { ...filter, cursor } }, signal })),
  );
  const [newest] = list.items ?? [];
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
        <Who value={actorId} name={newest?.actor.name} onValue={(next) => set('actor', next)} />
        <Select<Subject>
          label="About"
          value={subject}
          onValue={(next) => set('subject', next === ANY ? '' : next)}
          options={SUBJECT_OPTIONS}
        />
        {subjectId !== '' && (
          <Select
            label="Which"
            value={subjectId}
            onValue={(next) => set('id', next === ANY ? '' : next)}
            options={[
              { value: subjectId, label: newest?.subject.name ?? 'Only this one' },
              { value: ANY, label: 'Any' },
            ]}
          />
        )}
        <DayField label="From" value={from} onValue={(next) => set('from', next)} />
        <DayField label="To" value={to} onValue={(next) => set('to', next)} />
      </div>
      <div data-cards>
        <Table
          caption="Audit log"
          {...list.table}
          rowKey={({ id }) => id}
          empty={<Empty title="No matching entries">Entries that match these filters appear here.</Empty>}
          columns={auditColumns({
            actionsOf: ({ id }) => logWith(search, { actor: id }),
            historyOf: ({ subject: { type, id } }) => logWith(search, { subject: type, id }),
          })}
        />
      </div>
    </Settings>
  );
}

interface WhoProps {
  /** Empty for anybody. */
  readonly value: string;
  /** Name of the actor in the newest entry, as tokens, processors and former members are no choices. */
  readonly name: string | undefined;
  readonly onValue: (value: string) => void;
}

/** Chooses whose actions are listed. */
function Who({ value, name, onValue }: WhoProps): ReactElement {
  const { can } = useSession();
  const { data: members = [] } = useMemberChoices({ enabled: can('audit:read') && can('members:read') });
  const isOther = value !== '' && members.every(({ userId }) => userId !== value);
  return (
    <Select
      label="Who"
      value={value === '' ? ANY : value}
      onValue={(next) => onValue(next === ANY ? '' : next)}
      options={[
        { value: ANY, label: 'Anyone' },
        ...members.map(({ userId, email }) => ({ value: userId, label: email })),
        ...(isOther ? [{ value, label: name ?? 'Somebody else' }] : []),
      ]}
    />
  );
}
