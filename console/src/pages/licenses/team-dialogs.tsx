import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { ConfirmByName, CopyField, Dialog, Field, Form } from '../../ui';

type License = Schemas['LicenseWithDevices'];
type Member = Schemas['LicenseMember'];

/** What is asked before it is done; who is invited is no member yet. */
export type Asked =
  { readonly to: keyof typeof OF_LICENSE } | { readonly to: keyof typeof OF_MEMBER; readonly member: Member };

interface OfLicenseProps {
  readonly license: License;
  readonly onClose: () => void;
}

interface OfMemberProps extends OfLicenseProps {
  readonly member: Member;
}

function Invite({ license: { id }, onClose }: OfLicenseProps): ReactElement {
  const [email, setEmail] = useState('');
  const invite = useWrite({
    write: () => answer(api.POST('/api/v1/licenses/{id}/members', { params: { path: { id } }, body: { email } })),
    changes: [['licenses']],
    announcement: (member) => `Invited ${member.email}.`,
  });
  return (
    <Dialog
      title="Invite a person"
      description="They get a code of their own by mail. Who is on the license already gets nothing."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => invite.mutate(undefined, { onSuccess: onClose })}
        problem={invite.error}
        submit="Invite"
        isBusy={invite.isPending}
        onCancel={onClose}
      >
        <Field
          label="E-mail address"
          type="email"
          autoComplete="off"
          value={email}
          onValue={setEmail}
          fault={invite.error?.fault('email')}
        />
      </Form>
    </Dialog>
  );
}

/** Makes a link by which people join, and shows it once. */
function MakeLink({ license: { id }, onClose }: OfLicenseProps): ReactElement {
  const make = useWrite({
    write: () => answer(api.POST('/api/v1/licenses/{id}/members/link', { params: { path: { id } } })),
    changes: [],
    announcement: () => 'Made the link.',
  });
  return (
    <Dialog
      title="A link to join"
      description={
        make.data === undefined
          ? 'Anyone who opens it within seven days can enter an address, and gets a code by mail. An earlier link stops working.'
          : 'Copy it now: it is not stored and cannot be shown again.'
      }
      isOpen
      onClose={onClose}
    >
      {make.data !== undefined && <CopyField label="link" value={make.data.url} />}
      <Form
        onSubmit={() => make.mutate()}
        problem={make.error}
        submit={make.data === undefined ? 'Make the link' : null}
        isBusy={make.isPending}
        onCancel={onClose}
        cancel={make.data === undefined ? 'Cancel' : 'Done'}
      />
    </Dialog>
  );
}

function Resend({ license: { id }, member, onClose }: OfMemberProps): ReactElement {
  const path = { id, memberId: member.id };
  const resend = useWrite({
    write: () => answer(api.POST('/api/v1/licenses/{id}/members/{memberId}/resend', { params: { path } })),
    changes: [['licenses']],
    announcement: ({ email }) => `A mail with a new code is on its way to ${email}.`,
  });
  return (
    <Dialog
      title="Mail a new code"
      description={
        <>
          The code is not stored, so <bdi>{member.email}</bdi> gets a new one. The old code seats no device from now on;
          devices keep their seats.
        </>
      }
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => resend.mutate(undefined, { onSuccess: onClose })}
        problem={resend.error}
        submit="Mail a new code"
        isBusy={resend.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function Remove({ license: { id }, member, onClose }: OfMemberProps): ReactElement {
  const path = { id, memberId: member.id };
  const remove = useWrite({
    write: () => answer(api.DELETE('/api/v1/licenses/{id}/members/{memberId}', { params: { path } })),
    changes: [['licenses']],
    announcement: () => `${member.email} is no longer on the license.`,
  });
  return (
    <ConfirmByName
      title="Remove a person"
      description="The code of this person works no more, and their devices lose their seats."
      name={member.email}
      action="Remove"
      isOpen
      isBusy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const OF_LICENSE = { invite: Invite, link: MakeLink };
const OF_MEMBER = { resend: Resend, remove: Remove };

/** Asks before the people of a license change. */
export function TeamDialog({ asked, ...shared }: OfLicenseProps & { readonly asked: Asked }): ReactElement {
  if ('member' in asked) {
    const OfMember = OF_MEMBER[asked.to];
    return <OfMember {...shared} member={asked.member} />;
  }
  const OfLicense = OF_LICENSE[asked.to];
  return <OfLicense {...shared} />;
}
