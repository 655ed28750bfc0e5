import { useState, type ReactElement } from 'react';
import { answer, api, usePages, useRead, type Schemas } from '../../api';
import { useSession } from '../../session';
import { CredentialHealth } from '../../stores';
import { Button, Detail, Empty, isStore, StoreIcon, Table, Time, useFilters } from '../../ui';
import { CredentialDialog, useProviders } from './credential-dialog';
import { useRemoval } from './removal';
import { Settings } from './settings';
import css from './settings.module.css';

type Credential = Schemas['Credential'];

function Health({ credential: { health, expiresAt } }: { readonly credential: Credential }): ReactElement {
  return (
    <>
      <CredentialHealth health={health} />
      {health.state === 'ok' && expiresAt !== null && (
        <Detail>
          expires <Time at={expiresAt} />
        </Detail>
      )}
    </>
  );
}

/** The credential that a link asks to rotate; null without one, or while it is loaded. */
function useAsked(id: string | null): Credential | null {
  const { data } = useRead({
    queryKey: ['credentials', id],
    enabled: id !== null,
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/credentials/{id}', { params: { path: { id: id ?? '' } }, signal })),
  });
  // An address such as ?rotate=. answers with something else.
  return data?.id === id ? (data ?? null) : null;
}

/** Secrets of stores and payment processors. Links open the rotation of one by `?rotate=`. */
export function CredentialsPage(): ReactElement {
  const { can } = useSession();
  const { nameOf } = useProviders();
  const mayWrite = can('credentials:write');
  const [search, setSearch] = useFilters({ replace: true });
  const asked = useAsked(search.get('rotate'));
  const [chosen, setOpen] = useState<Credential | 'new' | null>(null);
  const open = chosen ?? (mayWrite ? asked : null);
  const list = usePages<Credential>(['credentials'], (cursor, signal) =>
    answer(api.GET('/api/v1/credentials', { params: { query: { cursor } }, signal })),
  );
  const callOf = ({ label, store, lastFour }: Credential): string => label ?? `${nameOf(store)} …${lastFour}`;
  const removal = useRemoval({
    action: 'Delete credential',
    description: 'The key is deleted here; withdraw it at the store too. One that a target uses is kept.',
    nameOf: callOf,
    write: ({ id, updatedAt }: Credential) =>
      answer(
        api.DELETE('/api/v1/credentials/{id}', { params: { path: { id }, header: { 'If-Match': `"${updatedAt}"` } } }),
      ),
    changes: [['credentials']],
    announcement: () => 'The credential is deleted.',
  });
  return (
    <Settings
      title="Credentials"
      about="Keys of stores and payment processors: verified, encrypted, never shown again."
      actions={mayWrite && <Button onClick={() => setOpen('new')}>Add a credential</Button>}
    >
      <Table
        caption="Credentials"
        {...list.table}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No credentials yet">
            <p>With the key of a store, Pierhead publishes there for you.</p>
          </Empty>
        }
        columns={[
          {
            title: 'Credential',
            cell: (credential) => (
              <>
                <div className={css.broken}>
                  {isStore(credential.store) && <StoreIcon store={credential.store} />} {callOf(credential)}
                </div>
                <Detail>
                  {nameOf(credential.store)} · <span className={css.broken}>{credential.identity}</span>
                </Detail>
              </>
            ),
          },
          { title: 'Health', cell: (credential) => <Health credential={credential} /> },
          ...(mayWrite
            ? [
                {
                  title: 'Change',
                  cell: (credential: Credential) => (
                    <>
                      <Button
                        kind="quiet"
                        onClick={() => setOpen(credential)}
                        aria-label={`Rotate ${callOf(credential)}`}
                      >
                        Rotate
                      </Button>
                      <Button
                        kind="quiet"
                        onClick={() => removal.ask(credential)}
                        aria-label={`Delete ${callOf(credential)}`}
                      >
                        Delete
                      </Button>
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
      {open !== null && (
        <CredentialDialog
          rotated={open === 'new' ? null : open}
          name={open === 'new' ? '' : callOf(open)}
          onClose={() => {
            setOpen(null);
            setSearch('rotate', '');
          }}
        />
      )}
      {removal.dialog}
    </Settings>
  );
}
