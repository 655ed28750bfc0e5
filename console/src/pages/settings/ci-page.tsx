import { useState, type ReactElement } from 'react';
import { TAG_REF, WORKFLOW_FILE, workflowOf } from '../../../../clients/cli/src/connecting/workflow';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, copyText, Dialog, Empty, Field, Form, Table, Time } from '../../ui';
import { ending, may, named } from './access-columns';
import { ScopeChoice } from './scope-choice';
import { useRemoval } from './removal';
import { Section, Settings } from './settings';
import css from './settings.module.css';
import type { Scope } from './words';

type Rule = Schemas['TrustRule'];

/** Longest name of a rule that the API takes. */
const MAX_NAME = 100;

const BUILD = ['npm ci', 'npm run build'].map((run) => ({ run, folder: '' }));

/** Runs of CI that may push without a stored token. */
export function CiPage(): ReactElement {
  const { can, tenant } = useSession();
  const [isOpen, setOpen] = useState(false);
  const list = usePages<Rule>(['trust-rules'], (cursor, signal) =>
    answer(api.GET('/api/v1/ci/trust-rules', { params: { query: { cursor } }, signal })),
  );
  const removal = useRemoval({
    action: 'Delete rule',
    description: 'Runs that it lets in are refused from their next request on.',
    nameOf: ({ name }) => name,
    write: ({ id }: Rule) => answer(api.DELETE('/api/v1/ci/trust-rules/{id}', { params: { path: { id } } })),
    changes: [['trust-rules']],
    announcement: (_, { name }) => `${name} is deleted.`,
  });
  const text = workflowOf({
    url: window.location.origin,
    tenantId: tenant.id,
    extension: null,
    package: null,
    sources: null,
    build: BUILD,
    safari: null,
  });
  return (
    <Settings
      title="CI"
      about="Runs of GitHub Actions and GitLab prove where they come from, and need no stored token."
      actions={can('tokens:write') && <Button onClick={() => setOpen(true)}>Trust a repository</Button>}
    >
      <Table
        caption="Trust rules"
        {...list.table}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No repository is trusted yet">
            <p>Trust one, and its workflow below pushes each tag.</p>
          </Empty>
        }
        columns={[
          named<Rule>('Rule', ({ repository }) => repository),
          { title: 'Runs of', cell: ({ ref, environment }) => ref ?? `environment ${environment ?? ''}` },
          may<Rule>(),
          { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />) },
          ...ending<Rule>('Delete', can('tokens:write'), removal.ask),
        ]}
      />
      <Section title="Workflow" about={`${WORKFLOW_FILE} of the trusted repository`}>
        <pre className={css.code} tabIndex={0} aria-label="Workflow">
          {text}
        </pre>
        <div>
          <Button onClick={() => copyText('workflow', text)}>Copy workflow</Button>
        </div>
      </Section>
      {isOpen && <NewRule onClose={() => setOpen(false)} />}
      {removal.dialog}
    </Settings>
  );
}

function NewRule({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [name, setName] = useState('');
  const [repository, setRepository] = useState('');
  const [ref, setRef] = useState(TAG_REF);
  const [scopes, setScopes] = useState<readonly Scope[]>(['artifacts:write', 'extensions:read']);
  const [extensionIds, setExtensionIds] = useState<readonly string[] | null>(null);
  const create = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/ci/trust-rules', {
          body: {
            name: name.trim() === '' ? repository.trim().slice(0, MAX_NAME) : name,
            repository,
            ref,
            scopes: [...scopes],
            extensionIds: extensionIds === null ? null : [...extensionIds],
          },
        }),
      ),
    changes: [['trust-rules']],
    announcement: (rule) => `Runs of ${rule.repository} are trusted.`,
  });
  return (
    <Dialog title="Trust a repository" isOpen onClose={onClose}>
      <Form
        onSubmit={() => create.mutate(undefined, { onSuccess: onClose })}
        problem={create.error}
        submit="Trust repository"
        isBusy={create.isPending}
      >
        <Field
          label="Repository"
          hint="Its address, or owner and name, such as acme/tab-counter."
          value={repository}
          onValue={setRepository}
          fault={create.error?.fault('repository')}
        />
        <Field
          label="Name of the rule (optional)"
          hint="Empty: the repository."
          value={name}
          onValue={setName}
          fault={create.error?.fault('name')}
        />
        <Field
          label="Ref"
          hint="* stands for anything but a slash. refs/heads/main is a branch."
          value={ref}
          onValue={setRef}
          fault={create.error?.fault('ref')}
        />
        <ScopeChoice
          scopes={scopes}
          onScopes={setScopes}
          extensionIds={extensionIds}
          onExtensionIds={setExtensionIds}
        />
      </Form>
    </Dialog>
  );
}
