import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, usePages, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import { Empty, Field, Select, Table, Time, useFilters, Words } from '../../ui';
import { useTargets, versionPath } from './data';
import { ExtensionFrame } from './extension-frame';
import { SETTINGS } from './target-edit';
import { targetName } from './target-name';
import css from './extension.module.css';

/** The kinds that people look for; the address may name any other. */
const KINDS = [
  { value: 'all', label: 'Everything' },
  { value: 'pinned', label: 'Pushes' },
  { value: 'phase_live', label: 'Live' },
  { value: 'phase_rejected', label: 'Rejected' },
  { value: 'step_failed', label: 'Refused steps' },
  { value: 'target_changed', label: 'Settings' },
];

const SETTING = new RegExp(`\\b(${Object.keys(SETTINGS).join('|')})\\b`, 'g');

/** Text of an event in the words of this console: the service names settings as its API does. */
const sentenceOf = ({ kind, message }: Schemas['TimelineEvent']): string =>
  kind === 'target_changed'
    ? message.replaceAll(SETTING, (name) => `“${SETTINGS[name as keyof typeof SETTINGS]}”`)
    : message;

/** Events of an extension, newest first. */
export function TimelinePage({ params: { id = '' } }: PageProps): ReactElement {
  const [search, set] = useFilters({ replace: true });
  const [kind, targetId, version] = ['kind', 'targetId', 'version'].map((name) => search.get(name) ?? '');
  const { data: targets = [] } = useTargets(id);
  const query = { ...(kind && { kind }), ...(targetId && { targetId }), ...(version && { version }) };
  const list = usePages<Schemas['TimelineEvent']>(['extensions', id, 'events', query], (cursor, signal) =>
    answer(
      api.GET('/api/v1/extensions/{id}/events', {
        params: { path: { id }, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  return (
    <ExtensionFrame id={id}>
      <div className={css.filters}>
        <Select
          label="What"
          value={kind || 'all'}
          onValue={(value) => set('kind', value === 'all' ? '' : value)}
          options={
            KINDS.some(({ value }) => value === kind) || !kind ? KINDS : [...KINDS, { value: kind, label: kind }]
          }
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
      </div>
      <Table
        caption="Timeline"
        {...list.table}
        rowKey={(event) => event.id}
        empty={
          <Empty title="Nothing happened">
            <p>
              {Object.keys(query).length > 0
                ? 'No event matches the filter.'
                : 'Pushes, steps and responses from stores appear here.'}
            </p>
          </Empty>
        }
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          {
            title: 'Version',
            cell: (event) =>
              event.version === null ? '—' : <Link href={versionPath(id, event.version)}>{event.version}</Link>,
          },
          { title: 'What happened', cell: (event) => <Words text={sentenceOf(event)} /> },
        ]}
      />
    </ExtensionFrame>
  );
}
