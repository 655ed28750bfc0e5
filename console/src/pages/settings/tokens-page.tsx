import { useState, type ReactElement } from 'react';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, CopyField, Detail, Dialog, Empty, Field, Form, Select, Table, Time } from '../../ui';
import { ending, may, named } from './access-columns';
import { ScopeChoice } from './scope-choice';
import { useRemoval } from './removal';
import { Settings } from './settings';
import type { Scope } from './words';

type Token = Schemas['AccessToken'];

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'ever', label: 'Until it is revoked' },
] as const;

/** Access tokens for scripts. */
export function TokensPage(): ReactElement {
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const list = usePages<Token>(['access-tokens'], (cursor, signal) =>
    answer(api.GET('/api/v1/access-tokens', { params: { query: { cursor } }, signal })),
  );
  const removal = useRemoval({
    action: 'Revoke token',
    description: 'Anything that uses it is refused from its next request on.',
    nameOf: ({ name }) => name,
    write: ({ id }: Token) => answer(api.DELETE('/api/v1/access-tokens/{id}', { params: { path: { id } } })),
    changes: [['access-tokens']],
    announcement: (_, { name }) => `${name} is revoked.`,
  });
  const create = can('tokens:write') ? <Button onClick={() => setOpen(true)}>New token</Button> : undefined;
  return (
    <Settings
      title="Access tokens"
      about="For scripts and programs. CI jobs need none: trust their repository under CI."
      actions={create}
    >
      <Table
        caption="Access tokens"
        {...list.table}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No access tokens yet">
            <p>A token lets a script do what you choose, for the extensions that you choose.</p>
          </Empty>
        }
        columns={[
          named<Token>('Token', ({ lastFour }) => `…${lastFour}`),
          may<Token>(),
          {
            title: 'Last used',
            cell: ({ lastUsedAt, lastUsedClient }) =>
              lastUsedAt === null ? (
                'Never'
              ) : (
                <>
                  <Time at={lastUsedAt} />
                  {lastUsedClient !== null && <Detail>{lastUsedClient}</Detail>}
                </>
              ),
          },
          { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />) },
          ...ending<Token>('Revoke', can('tokens:write'), removal.ask),
        ]}
      />
      {isOpen && <NewToken onClose={() => setOpen(false)} />}
      {removal.dialog}
    </Settings>
  );
}

function NewToken({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]['value']>('90');
  const [scopes, setScopes] = useState<readonly Scope[]>(['artifacts:write']);
  const [extensionIds, setExtensionIds] = useState<readonly string[] | null>(null);
  const create = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/access-tokens', {
          body: {
            name,
            scopes: [...scopes],
            extensionIds: extensionIds === null ? null : [...extensionIds],
            ...(lifetime === 'ever' ? {} : { expiresInDays: Number(lifetime) }),
          },
        }),
      ),
    changes: [['access-tokens']],
    announcement: () => 'The token is created.',
  });
  if (create.data !== undefined)
    return (
      <Dialog title="Your token" description="It is shown only now." isOpen onClose={onClose}>
        <CopyField label="token" value={create.data.token} />
        <Button kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      </Dialog>
    );
  return (
    <Dialog title="New token" isOpen onClose={onClose}>
      <Form onSubmit={() => create.mutate()} problem={create.error} submit="Create token" isBusy={create.isPending}>
        <Field label="Name" hint="What uses it." value={name} onValue={setName} fault={create.error?.fault('name')} />
        <ScopeChoice
          scopes={scopes}
          onScopes={setScopes}
          extensionIds={extensionIds}
          onExtensionIds={setExtensionIds}
        />
        <Select label="Lasts" value={lifetime} onValue={setLifetime} options={LIFETIMES} />
      </Form>
    </Dialog>
  );
}
