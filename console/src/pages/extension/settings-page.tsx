import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { answer, answerWithTag, api, useDraft, useRead, useWrite, type Schemas, type Tagged } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import { Button, Checkbox, ConfirmByName, Dialog, DraftForm, Field, Form, Skeleton, type Conflict } from '../../ui';
import { ExtensionFrame } from './extension-frame';
import css from './extension.module.css';

interface ExtensionProps {
  readonly extension: Schemas['Extension'];
  readonly onClose: () => void;
}

/** A change of the extension as it is shown: what somebody else has changed since is not overwritten. */
const asShown = ({ id, updatedAt }: Schemas['Extension']) => ({
  path: { id },
  header: { 'If-Match': `"${updatedAt}"` },
});

/** The settings of an extension; those of its stores are on their own pages. */
export function SettingsPage({ params: { id = '' } }: PageProps): ReactElement {
  const extension = useRead({
    queryKey: ['extensions', id, 'settings'],
    queryFn: ({ signal }) => answerWithTag(api.GET('/api/v1/extensions/{id}', { params: { path: { id } }, signal })),
  });
  const { data } = extension;
  return (
    <ExtensionFrame id={id} reads={[extension]}>
      {data === undefined && extension.problem === null && <Skeleton label="settings" lines={6} />}
      {data !== undefined && (
        <Editor known={data} reread={async () => (await extension.retry({ throwOnError: true })).data ?? data} />
      )}
    </ExtensionFrame>
  );
}

interface Settings {
  readonly name?: string;
  readonly analytics?: boolean;
  readonly licensing?: boolean;
  readonly activationLink?: boolean;
}
type Extension = Schemas['Extension'];

const LABELS = {
  name: 'Name',
  analytics: 'Count pings of installs',
  licensing: 'Let devices activate licenses',
  activationLink: 'Activate by a button in mails with a code',
} as const;

const settingsOf = ({ name, analytics, licensing }: Extension): Required<Settings> => ({
  name,
  analytics: analytics.enabled,
  licensing: licensing.enabled,
  activationLink: licensing.activationLink,
});

const shown = (value: string | boolean): string => (value === true ? 'on' : value === false ? 'off' : value);

/** Changes of others since the extension was read, beside those of the form. */
function conflictsOf(before: Extension, now: Extension, draft: Settings): readonly Conflict<keyof Settings>[] {
  const [was, is] = [settingsOf(before), settingsOf(now)];
  return (Object.keys(LABELS) as (keyof Settings)[])
    .filter((name) => was[name] !== is[name])
    .map((name) => ({
      name,
      label: LABELS[name],
      theirs: shown(is[name]),
      mine: draft[name] === undefined ? null : shown(draft[name]),
    }));
}

interface EditorProps {
  readonly known: Tagged<Extension>;
  readonly reread: () => Promise<Tagged<Extension>>;
}

function Editor({ known, reread }: EditorProps): ReactElement {
  const { can } = useSession();
  const [action, setAction] = useState<'approval' | 'delete' | null>(null);
  const { data: extension } = known;
  const isReadOnly = !can('extensions:write');
  const close = (): void => setAction(null);
  const edit = useDraft({
    known,
    reread,
    write: ({ name, analytics, licensing: enabled, activationLink }: Settings, etag) =>
      answer(
        api.PATCH('/api/v1/extensions/{id}', {
          params: { path: { id: extension.id }, ...(etag === null ? {} : { header: { 'If-Match': etag } }) },
          body: {
            ...(name === undefined ? {} : { name }),
            ...(analytics === undefined ? {} : { analytics: { enabled: analytics } }),
            licensing: {
              ...(enabled === undefined ? {} : { enabled }),
              ...(activationLink === undefined ? {} : { activationLink }),
            },
          },
        }),
      ),
    changes: [['extensions'], ['overview']],
    announcement: () => 'Saved the settings.',
    conflictsOf,
  });
  const values = { ...settingsOf(edit.base), ...edit.draft };
  const set = (change: Settings): void => edit.revise((made) => ({ ...made, ...change }));
  return (
    <div className={css.settings}>
      <DraftForm
        label="Settings"
        of="this extension"
        edit={edit}
        isReadOnly={isReadOnly}
        isLeaving={action === 'delete'}
      >
        <Field
          label={LABELS.name}
          hint="In Pierhead only; listings at the stores keep theirs."
          value={values.name}
          onValue={(name) => set({ name })}
          fault={edit.problem?.fault('name')}
          readOnly={isReadOnly}
          autoComplete="off"
          spellCheck={false}
        />
        <Checkbox
          label={LABELS.analytics}
          checked={values.analytics}
          onChecked={(analytics) => set({ analytics })}
          disabled={isReadOnly}
        />
        <Checkbox
          label={LABELS.licensing}
          checked={values.licensing}
          onChecked={(licensing) => set({ licensing })}
          disabled={isReadOnly}
        />
        <Checkbox
          label={LABELS.activationLink}
          hint="The button opens a page on which the extension takes the code. Ship the client's activate.js first."
          checked={values.activationLink}
          onChecked={(activationLink) => set({ activationLink })}
          disabled={isReadOnly}
        />
      </DraftForm>
      <section aria-labelledby="approvals">
        <h2 id="approvals">Approvals</h2>
        <p>
          {extension.approval.required
            ? 'Another person has to approve each version before it is sent to a store.'
            : 'Versions are sent to the stores as soon as they are pushed.'}
        </p>
        {can('members:write') && (
          <Button onClick={() => setAction('approval')}>
            {extension.approval.required ? 'Stop requiring approvals' : 'Require approvals'}
          </Button>
        )}
      </section>
      {!isReadOnly && (
        <section aria-labelledby="deletion">
          <h2 id="deletion">Deletion</h2>
          <p>Deletes its packages, targets, versions and timeline. The stores keep what they have.</p>
          <Button kind="danger" onClick={() => setAction('delete')}>
            Delete extension
          </Button>
        </section>
      )}
      {action === 'approval' && <RequireApprovals extension={extension} onClose={close} />}
      {action === 'delete' && <Delete extension={extension} onClose={close} />}
    </div>
  );
}

function RequireApprovals({ extension, onClose }: ExtensionProps): ReactElement {
  const [required] = useState(!extension.approval.required);
  const change = useWrite({
    write: () =>
      answer(api.PATCH('/api/v1/extensions/{id}', { params: asShown(extension), body: { approval: { required } } })),
    changes: [['extensions'], ['overview'], ['approvals']],
    announcement: ({ name }) => `${name} ${required ? 'requires approvals now' : 'no longer requires approvals'}.`,
  });
  return (
    <Dialog
      title={required ? 'Require approvals' : 'Stop requiring approvals'}
      description={
        required
          ? 'From now on, another person than the one who pushed a version has to approve it before anything is sent to a store. What is pinned and was not sent yet waits too.'
          : 'What waits for an approval now is sent at once. All other owners and admins get a mail, and the audit log keeps that it was you.'
      }
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}
        problem={change.error}
        submit={required ? 'Require approvals' : 'Stop requiring them'}
        isBusy={change.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function Delete({ extension, onClose }: ExtensionProps): ReactElement {
  const [, navigate] = useLocation();
  const remove = useWrite({
    write: () => answer(api.DELETE('/api/v1/extensions/{id}', { params: asShown(extension) })),
    // Not what its own page shows, which is left.
    changes: [['overview'], ['extensions', 'rail'], ['extensions', 'choices']],
    announcement: () => `Deleted ${extension.name}.`,
  });
  return (
    <ConfirmByName
      title={`Delete ${extension.name}`}
      description="Its packages, targets, versions and timeline are deleted permanently. The stores keep what they have."
      name={extension.name}
      action="Delete extension"
      isOpen
      isBusy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/') })}
      onClose={onClose}
    />
  );
}
