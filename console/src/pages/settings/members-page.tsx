import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { answer, api, hasAnswered, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import {
  Button,
  classes,
  ConfirmByName,
  CopyField,
  Detail,
  Dialog,
  Empty,
  Field,
  Form,
  Select,
  Table,
  Time,
} from '../../ui';
import { useRemoval } from './removal';
import { Section, Settings } from './settings';
import css from './settings.module.css';
import { ROLE_OPTIONS, ROLES, type Role } from './words';

type Member = Schemas['Member'];

/** Members of the tenant, and invitations. Links open the form of an invitation by `?invite`. */
export function MembersPage(): ReactElement {
  const { can, user, tenant } = useSession();
  const mayWrite = can('members:write');
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState<'invite' | 'leave' | null>(null);
  const [changed, setChanged] = useState<Member | null>(null);
  const list = usePages<Member>(['members'], (cursor, signal) =>
    answer(api.GET('/api/v1/members', { params: { query: { cursor } }, signal })),
  );
  const invitations = useInvitations();
  const removal = useRemoval({
    action: 'Remove member',
    description: 'Access and every session of this person in the workspace end with the next request.',
    nameOf: ({ email }) => email,
    write: ({ userId, updatedAt }: Member) =>
      answer(
        api.DELETE('/api/v1/members/{userId}', {
          params: { path: { userId }, header: { 'If-Match': `"${updatedAt}"` } },
        }),
      ),
    changes: [['members']],
    announcement: (_, { email }) => `${email} is no longer a member.`,
  });
  const leave = useWrite({ write: () => answer(api.POST('/api/v1/members/leave')), changes: [] });
  return (
    <Settings title="Members" actions={mayWrite && <Button onClick={() => setOpen('invite')}>Invite</Button>}>
      <Table
        caption="Members"
        {...list.table}
        rowKey={({ userId }) => userId}
        empty={<Empty title="No members" />}
        columns={[
          {
            title: 'Member',
            cell: ({ email, userId }) => (
              <span className={css.broken}>
                <bdi>{email}</bdi>
                {userId === user.id && ' (you)'}
                {can('audit:read') && (
                  <Detail>
                    <Link href={`/settings/audit?actor=${userId}`} aria-label={`Changes by ${email}`}>
                      Changes
                    </Link>
                  </Detail>
                )}
              </span>
            ),
          },
          {
            title: 'Role',
            cell: ({ role }) => (
              <>
                {role}
                <div className={classes(css.second, css.wide)}>{ROLES[role]}</div>
              </>
            ),
          },
          { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(mayWrite
            ? [
                {
                  title: 'Change',
                  cell: (member: Member) => (
                    <>
                      <Button
                        kind="quiet"
                        onClick={() => setChanged(member)}
                        aria-label={`Change role of ${member.email}`}
                      >
                        Change role
                      </Button>
                      {member.userId !== user.id && (
                        <Button kind="quiet" onClick={() => removal.ask(member)} aria-label={`Remove ${member.email}`}>
                          Remove
                        </Button>
                      )}
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
      {hasAnswered(list.items, list.problem) && <Invitations mayWrite={mayWrite} list={invitations} />}
      {hasAnswered(invitations.items, invitations.problem) && hasAnswered(list.items, list.problem) && (
        <Section
          title="Leave"
          about="You lose access to this workspace with your next request. The last owner cannot leave."
        >
          <div>
            <Button kind="danger" onClick={() => setOpen('leave')}>
              Leave this workspace
            </Button>
          </div>
        </Section>
      )}
      {mayWrite && (open === 'invite' || search.has('invite')) && (
        <Invite
          onClose={() => {
            setOpen(null);
            setSearch({}, { replace: true });
          }}
        />
      )}
      {changed !== null && <ChangeRole member={changed} onClose={() => setChanged(null)} />}
      {removal.dialog}
      <ConfirmByName
        isOpen={open === 'leave'}
        title="Leave this workspace"
        description="Only an owner or admin can invite you again."
        name={tenant.name}
        action="Leave"
        isBusy={leave.isPending}
        problem={leave.error}
        onConfirm={() => leave.mutate(undefined, { onSuccess: () => window.location.assign('/') })}
        onClose={() => {
          setOpen(null);
          leave.reset();
        }}
      />
    </Settings>
  );
}

function ChangeRole({ member, onClose }: { readonly member: Member; readonly onClose: () => void }): ReactElement {
  const { userId, email, updatedAt } = member;
  const [role, setRole] = useState<Role>(member.role);
  const change = useWrite({
    write: () =>
      answer(
        api.PATCH('/api/v1/members/{userId}', {
          params: { path: { userId }, header: { 'If-Match': `"${updatedAt}"` } },
          body: { role },
        }),
      ),
    changes: [['members'], ['me']],
    announcement: () => `${email} is now ${role}.`,
  });
  return (
    <Dialog title="Change role" description={email} isOpen onClose={onClose}>
      <Form
        onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}
        problem={change.error}
        submit="Change role"
        isBusy={change.isPending}
        isDisabled={role === member.role}
      >
        <Select label="Role" hint={ROLES[role]} value={role} onValue={setRole} options={ROLE_OPTIONS} />
      </Form>
    </Dialog>
  );
}

const useInvitations = () =>
  usePages<Schemas['Invitation']>(['invitations'], (cursor, signal) =>
    answer(api.GET('/api/v1/invitations', { params: { query: { cursor } }, signal })),
  );

interface InvitationsProps {
  readonly mayWrite: boolean;
  readonly list: ReturnType<typeof useInvitations>;
}

function Invitations({ mayWrite, list }: InvitationsProps): ReactElement {
  const revoke = useWrite({
    write: ({ id }: Schemas['Invitation']) =>
      answer(api.DELETE('/api/v1/invitations/{id}', { params: { path: { id } } })),
    changes: [['invitations']],
    announcement: (_, { email }) => `The invitation of ${email} no longer works.`,
  });
  return (
    <Section title="Invitations">
      <Table
        caption="Invitations"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={revoke.error}
        empty={<p className={css.about}>No open invitations.</p>}
        columns={[
          { title: 'Invited', cell: ({ email }) => <span className={css.broken}>{email}</span> },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          ...(mayWrite
            ? [
                {
                  title: 'Revoke',
                  cell: (one: Schemas['Invitation']) => (
                    <Button onClick={() => revoke.mutate(one)} aria-label={`Revoke the invitation of ${one.email}`}>
                      Revoke
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function Invite({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('publisher');
  const invite = useWrite({
    write: () => answer(api.POST('/api/v1/invitations', { body: { email, role } })),
    changes: [['invitations']],
    announcement: () => `${email} is invited.`,
  });
  const { data } = invite;
  if (data !== undefined)
    return (
      <Dialog
        title="Invited"
        description={
          data.mailed ? (
            <>
              <bdi>{data.email}</bdi> gets this link by mail. It is shown only now, if you want to hand it over
              yourself.
            </>
          ) : (
            <>
              Hand this link to <bdi>{data.email}</bdi>: no mail goes out, and it is shown only now.
            </>
          )
        }
        isOpen
        onClose={onClose}
      >
        <CopyField label="link" value={data.link} />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Dialog>
    );
  return (
    <Dialog title="Invite a member" isOpen onClose={onClose}>
      <Form onSubmit={() => invite.mutate()} problem={invite.error} submit="Invite" isBusy={invite.isPending}>
        <Field
          label="E-mail"
          type="email"
          autoComplete="off"
          value={email}
          onValue={setEmail}
          fault={invite.error?.fault('email')}
        />
        <Select label="Role" hint={ROLES[role]} value={role} onValue={setRole} options={ROLE_OPTIONS} />
      </Form>
    </Dialog>
  );
}
