import { useState, type ReactElement } from 'react';
import {
  answer,
  api,
  asProblem,
  fetchFile,
  usePages,
  useRead,
  useSignInMethods,
  useWrite,
  type Schemas,
} from '../../api';
import { switchTenant, useSession } from '../../session';
import {
  announce,
  Button,
  bytes,
  Caution,
  Dialog,
  exact,
  Field,
  Form,
  ProblemNote,
  Status,
  Table,
  Time,
} from '../../ui';
import { Facts, Section, Settings } from './settings';
import css from './settings.module.css';

type Export = Schemas['TenantExport'];

const STATES = {
  pending: { state: 'underway', word: 'being written' },
  ready: { state: 'live', word: 'ready' },
  failed: { state: 'rejected', word: 'failed' },
} as const;

/** The tenant: another one, taking everything along, and its end. */
export function TenantPage(): ReactElement {
  const { can, tenant, role } = useSession();
  const { data: methods } = useSignInMethods();
  return (
    <Settings title="Workspace">
      <Facts
        facts={[
          ['Name', tenant.name],
          ['Quota', tenant.quota],
          ['Your role', role],
          ['Id', <code key="id">{tenant.id}</code>],
        ]}
      />
      {methods?.signup === true && <NewTenant />}
      {can('tenant:write') && (
        <>
          <Exports />
          <Deletion />
        </>
      )}
    </Settings>
  );
}

function NewTenant(): ReactElement {
  const [name, setName] = useState('');
  const create = useWrite({
    write: () => answer(api.POST('/api/v1/tenants', { body: { name } })),
    changes: [],
    announcement: () => `${name} was created. You are in it now.`,
  });
  return (
    <Section title="Another workspace" about="Keeps its own extensions, members and licenses. You own it.">
      <Form
        label="Another workspace"
        onSubmit={() => create.mutate(undefined, { onSuccess: ({ id }) => void switchTenant(id).catch(say) })}
        problem={create.error}
        submit="Create workspace"
        isBusy={create.isPending}
        kind="plain"
      >
        <Field label="Name" value={name} onValue={setName} fault={create.error?.fault('name')} />
      </Form>
    </Section>
  );
}

const say = (thrown: unknown): void => announce(asProblem(thrown).message);

/** Asks for the file once, so that a second factor can be asked for here, and lets the browser download it. */
async function download(url: string): Promise<void> {
  try {
    const file = await fetchFile(url);
    await file.body?.cancel();
    window.location.assign(url);
  } catch (thrown) {
    say(thrown);
  }
}

function Exports(): ReactElement {
  const list = usePages<Export>(
    ['exports'],
    (cursor, signal) => answer(api.GET('/api/v1/tenant/exports', { params: { query: { cursor } }, signal })),
    ({ state }) => state === 'pending',
  );
  const request = useWrite({
    write: () => answer(api.POST('/api/v1/tenant/exports')),
    changes: [['exports']],
    announcement: () => 'The export is being written.',
  });
  return (
    <Section title="Export" about="One archive of all that the workspace has: tables as JSON lines, and every package.">
      <Table
        caption="Exports"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={request.error}
        empty={<p className={css.about}>None yet.</p>}
        columns={[
          { title: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'State',
            cell: ({ state }) => <Status state={STATES[state].state}>{STATES[state].word}</Status>,
          },
          { title: 'Size', isEnd: true, cell: ({ size }) => (size === null ? '' : bytes(size)) },
          { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            title: 'Download',
            cell: ({ id, state }) =>
              state === 'ready' && (
                <Button onClick={() => void download(`/api/v1/tenant/exports/${id}/download`)}>Download</Button>
              ),
          },
        ]}
      />
      <div>
        <Button isBusy={request.isPending} onClick={() => request.mutate()}>
          Export everything
        </Button>
      </div>
    </Section>
  );
}

function Deletion(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const { data, problem, retry } = useRead({
    queryKey: ['tenant', 'deletion'],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/tenant/deletion', { signal })).catch((thrown: unknown) => {
        if (asProblem(thrown).body.status === 404) return null;
        throw thrown;
      }),
  });
  const callOff = useWrite({
    write: () => answer(api.DELETE('/api/v1/tenant/deletion')),
    changes: [['tenant']],
    announcement: () => 'The deletion was canceled.',
  });
  if (problem !== null) return <ProblemNote problem={problem} onRetry={retry} />;
  if (data !== null && data !== undefined)
    return (
      <Section title="Deletion">
        <Caution>
          This workspace and all that it has are deleted on {exact(data.deletesAt)}, as <bdi>{data.requestedBy}</bdi>{' '}
          asked.
        </Caution>
        {callOff.error !== null && <ProblemNote problem={callOff.error} />}
        <div>
          <Button kind="primary" isBusy={callOff.isPending} onClick={() => callOff.mutate()}>
            Cancel the deletion
          </Button>
        </div>
      </Section>
    );
  return (
    <Section
      title="Deletion"
      about="Deletes the workspace after a grace period, in which any owner can cancel the deletion."
    >
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete this workspace
        </Button>
      </div>
      {isOpen && <Delete onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Delete({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { tenant } = useSession();
  const [password, setPassword] = useState('');
  const [tenantName, setTenantName] = useState('');
  const request = useWrite({
    write: () =>
      answer(api.POST('/api/v1/tenant/deletion', { body: { tenantName, ...(password === '' ? {} : { password }) } })),
    changes: [['tenant']],
    announcement: ({ deletesAt }) => `The workspace is deleted on ${exact(deletesAt)}.`,
  });
  return (
    <Dialog
      title="Delete this workspace"
      description="Licenses stop working and packages are gone when the grace period ends. What is live at stores stays there."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => request.mutate(undefined, { onSuccess: onClose })}
        problem={request.error}
        submit="Delete this workspace"
        isBusy={request.isPending}
        isDisabled={tenantName.trim() !== tenant.name.trim()}
        kind="danger"
      >
        <Field
          label={`Type “${tenant.name}” to confirm`}
          autoComplete="off"
          value={tenantName}
          onValue={setTenantName}
          fault={request.error?.fault('tenantName')}
        />
        <Field
          label="Password"
          hint="Leave it empty if you have none."
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          fault={request.error?.fault('password')}
        />
      </Form>
    </Dialog>
  );
}
