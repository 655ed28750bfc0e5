import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { answer, api, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { ConfirmByName, Dialog, Field, Form, Menu, MenuItem, MoreIcon } from '../../ui';

interface ExtensionProps {
  readonly extension: Schemas['Extension'];
  readonly onClose: () => void;
}

/** A change of the extension as it is shown: what somebody else has changed since is not overwritten. */
const asShown = ({ id, updatedAt }: Schemas['Extension']) => ({
  path: { id },
  header: { 'If-Match': `"${updatedAt}"` },
});

/** A menu of what can be done to an extension as a whole. */
export function ExtensionActions({ extension }: Pick<ExtensionProps, 'extension'>): ReactElement {
  const [action, setAction] = useState<'rename' | 'approval' | 'delete' | null>(null);
  const mayRequire = useSession().can('members:write');
  const close = (): void => setAction(null);
  return (
    <>
      <Menu trigger={<MoreIcon />} label="Actions for this extension">
        <MenuItem onSelect={() => setAction('rename')}>Rename</MenuItem>
        {mayRequire && (
          <MenuItem onSelect={() => setAction('approval')}>
            {extension.approval.required ? 'Stop requiring approvals' : 'Require approvals'}
          </MenuItem>
        )}
        <MenuItem onSelect={() => setAction('delete')}>Delete</MenuItem>
      </Menu>
      {action === 'rename' && <Rename extension={extension} onClose={close} />}
      {action === 'approval' && <RequireApprovals extension={extension} onClose={close} />}
      {action === 'delete' && <Delete extension={extension} onClose={close} />}
    </>
  );
}

function Rename({ extension, onClose }: ExtensionProps): ReactElement {
  const [name, setName] = useState(extension.name);
  const rename = useWrite({
    write: () => answer(api.PATCH('/api/v1/extensions/{id}', { params: asShown(extension), body: { name } })),
    changes: [['extensions'], ['overview']],
    announcement: (renamed) => `It is now called ${renamed.name}.`,
  });
  return (
    <Dialog
      title="Rename the extension"
      description="Changes the name in Pierhead. Its listings at the stores keep theirs."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => rename.mutate(undefined, { onSuccess: onClose })}
        problem={rename.error}
        submit="Rename"
        isBusy={rename.isPending}
        isDisabled={name.trim() === '' || name.trim() === extension.name}
        onCancel={onClose}
      >
        <Field
          label="Name"
          value={name}
          onValue={setName}
          fault={rename.error?.fault('name')}
          autoComplete="off"
          spellCheck={false}
        />
      </Form>
    </Dialog>
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
