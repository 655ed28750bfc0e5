import { useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { answer, api, usePages, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import {
  Button,
  ClockTime,
  dayOf,
  Empty,
  Field,
  number,
  Select,
  StoreIcon,
  Table,
  useFilters,
  Words,
  type Column,
} from '../../ui';
import { useTargets, versionPath, type Target } from './data';
import { ExtensionFrame } from './extension-frame';
import { fold, type Row } from './fold';
import { SETTINGS } from './target-edit';
import { targetName } from './target-name';
import css from './extension.module.css';

type Event = Schemas['TimelineEvent'];

interface Filter {
  readonly about?: 'publishing' | 'licenses';
  readonly kind?: string;
  readonly targetId?: string;
  readonly version?: string;
  readonly by?: string;
}

/** What people look for; the address may name any other kind. */
const CHOICES: readonly { readonly value: string; readonly label: string; readonly query: Filter }[] = [
  { value: 'all', label: 'Everything', query: {} },
  { value: 'publishing', label: 'Publishing', query: { about: 'publishing' } },
  { value: 'licenses', label: 'Licenses', query: { about: 'licenses' } },
  { value: 'pinned', label: 'Pushes', query: { kind: 'pinned' } },
  { value: 'phase_live', label: 'Live', query: { kind: 'phase_live' } },
  { value: 'phase_rejected', label: 'Rejected', query: { kind: 'phase_rejected' } },
  { value: 'step_failed', label: 'Refused steps', query: { kind: 'step_failed' } },
  { value: 'target_changed', label: 'Settings', query: { kind: 'target_changed' } },
];

const NAMES = ['kind', 'targetId', 'version', 'by'] as const;

/** phase_in_review as in review */
const kindName = (kind: string): string => kind.replace(/^phase_/, '').replaceAll('_', ' ');

const SETTING = new RegExp(`\\b(${Object.keys(SETTINGS).join('|')})\\b`, 'g');

/** Text of an event in the words of this console: the service names settings as its API does. */
const sentenceOf = ({ kind, message }: Event): string =>
  kind === 'target_changed'
    ? message.replaceAll(SETTING, (name) => `“${SETTINGS[name as keyof typeof SETTINGS]}”`)
    : message;

/** Events of an extension by day, newest first. */
export function TimelinePage({ params: { id = '' } }: PageProps): ReactElement {
  const [search, set] = useFilters({ replace: true });
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [kind, targetId, version, by] = NAMES.map((name) => search.get(name) ?? '');
  const { data: targets = [] } = useTargets(id);
  const chosen = CHOICES.find(({ value }) => value === (kind || 'all'));
  const query: Filter = {
    ...(chosen?.query ?? { kind }),
    ...(targetId && { targetId }),
    ...(version && { version }),
    ...(by && { by }),
  };
  const list = usePages<Event>(['extensions', id, 'events', query], (cursor, signal) =>
    answer(
      api.GET('/api/v1/extensions/{id}/events', {
        params: { path: { id }, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const toggle = (row: string): void =>
    setOpened((now) => new Set(now.has(row) ? [...now].filter((one) => one !== row) : [...now, row]));
  const filterBy = (name: string, value: string): string => {
    const next = new URLSearchParams(search);
    next.set(name, value);
    return `/extensions/${id}/timeline?${next.toString()}`;
  };
  return (
    <ExtensionFrame id={id}>
      <Filters targets={targets} search={search} set={set} />
      <div className={css.timeline} data-cards>
        <Table
          caption="Timeline"
          {...list.table}
          rows={list.items && fold(list.items, opened)}
          rowKey={(row) => row.id}
          groupOf={({ at }) => dayOf(at)}
          empty={
            <Empty title="Nothing happened">
              <p>
                {Object.keys(query).length > 0
                  ? 'No event matches the filter.'
                  : 'Pushes, steps and responses from stores appear here.'}
                {by && ' A person is found by the whole address, and a token by its whole name.'}
              </p>
            </Empty>
          }
          columns={columnsOf({ id, targets, opened, toggle, filterBy })}
        />
      </div>
    </ExtensionFrame>
  );
}

interface FiltersProps {
  readonly targets: readonly Target[];
  readonly search: URLSearchParams;
  readonly set: (name: string, value: string) => void;
}

function Filters({ targets, search, set }: FiltersProps): ReactElement {
  const [kind, targetId, version, by] = NAMES.map((name) => search.get(name) ?? '');
  const isKnown = CHOICES.some(({ value }) => value === (kind || 'all'));
  return (
    <div className={css.filters}>
      <Select
        label="What"
        value={kind || 'all'}
        onValue={(value) => set('kind', value === 'all' ? '' : value)}
        options={isKnown ? CHOICES : [...CHOICES, { value: kind ?? '', label: kindName(kind ?? '') }]}
      />
      <Select
        label="Store"
        value={targetId || 'all'}
        onValue={(value) => set('targetId', value === 'all' ? '' : value)}
        options={[
          { value: 'all', label: 'All stores' },
          ...targets.map((target) => ({ value: target.id, label: targetName(target, targets) })),
        ]}
      />
      <Field
        label="Version"
        value={version ?? ''}
        onValue={(value) => set('version', value)}
        placeholder="All versions"
      />
      <Field
        label="Person"
        value={by ?? ''}
        onValue={(value) => set('by', value)}
        placeholder="Everybody, or a whole address"
      />
    </div>
  );
}

interface ColumnsOf {
  readonly id: string;
  readonly targets: readonly Target[];
  readonly opened: ReadonlySet<string>;
  readonly toggle: (row: string) => void;
  readonly filterBy: (name: string, value: string) => string;
}

function columnsOf({ id, targets, opened, toggle, filterBy }: ColumnsOf): readonly Column<Row<Event>>[] {
  const ofEvent = (cell: (event: Event) => ReactNode) => (row: Row<Event>) => ('event' in row ? cell(row.event) : null);
  return [
    { title: 'Time', cell: ({ at }) => <ClockTime at={at} /> },
    {
      title: 'What happened',
      cell: (row) =>
        'event' in row ? (
          <Words text={sentenceOf(row.event)} />
        ) : (
          <Button kind="quiet" aria-expanded={opened.has(row.id)} onClick={() => toggle(row.id)}>
            {number(row.folded.length)} license events
          </Button>
        ),
    },
    {
      title: 'Store',
      cell: ofEvent(({ targetId }) => {
        const target = targets.find((one) => one.id === targetId);
        return (
          target && (
            <Link href={filterBy('targetId', target.id)} className={css.store}>
              <StoreIcon store={target.store} /> {targetName(target, targets)}
            </Link>
          )
        );
      }),
    },
    {
      title: 'Version',
      cell: ofEvent(({ version }) => version !== null && <Link href={versionPath(id, version)}>{version}</Link>),
    },
    {
      title: 'Person',
      cell: ofEvent(
        ({ by }) =>
          by !== null && (
            <Link href={filterBy('by', by)}>
              <bdi>{by}</bdi>
            </Link>
          ),
      ),
    },
    { title: 'Kind', cell: ofEvent(({ kind }) => <Link href={filterBy('kind', kind)}>{kindName(kind)}</Link>) },
  ];
}
