import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Actions, Button, ConfirmByName, Dialog, Field, Form, Table, Time, type Column } from '../../ui';
import type { Members } from './members';
import css from './licenses.module.css';

type License = Schemas['LicenseWithDevices'];
type Member = Schemas['LicenseMember'];

/** What is asked before it is done; a new invitation has no member yet. */
type Asked = { readonly to: 'invite' } | { readonly to: 'resend' | 'remove'; readonly member: Member };

/** How many devices people may use, in words. */
function limitsOf({ team, seats: { max } }: License): string {
  if (team === null) return 'The license is for one person now. Those who are on it stay.';
  const all = max === 1 ? 'one device' : `${max} devices`;
  return team.seatsPerMember === null
    ? `Besides the buyer, with whom they share the license’s ${all}.`
    : `Besides the buyer. Each may use ${team.seatsPerMember} of the license’s ${all}.`;
}

interface TeamProps {
  readonly license: License;
  readonly members: Members;
}

/** The people on a license besides its buyer, and what is done with them. Nothing for a license of one person. */
export function Team({ license, members }: TeamProps): ReactElement | null {
  const { can } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { team } = license;
  if (team === null && members.items?.length === 0 && asked === null) return null;
  const isOpen = can('licenses:write') && license.status !== 'revoked';
  const columns: readonly Column<Member>[] = [
    {
      title: 'Person',
      cell: ({ email, codeHint }) => (
        <div className={css.buyer}>
          {email}
          <span className={css.sub}>code …{codeHint}</span>
        </div>
      ),
    },
    {
      title: 'Devices',
      cell: (one) => [one.devices, team?.seatsPerMember ?? null].filter((count) => count !== null).join(' of '),
    },
    {
      title: 'Since',
      cell: ({ joinedAt, createdAt }) => (
        <>
          {joinedAt === null ? 'invited' : 'joined'} <Time at={joinedAt ?? createdAt} />
        </>
      ),
    },
    ...(can('licenses:write')
      ? [
          {
            title: 'Change',
            cell: (member: Member) => (
              <Actions>
                {isOpen && (
                  <Button
                    onClick={() => setAsked({ to: 'resend', member })}
                    aria-label={`Mail a new code to ${member.email}`}
                  >
                    Mail a new code
                  </Button>
                )}
                <Button onClick={() => setAsked({ to: 'remove', member })} aria-label={`Remove ${member.email}`}>
                  Remove
                </Button>
              </Actions>
            ),
          },
        ]
      : []),
  ];
  return (
    <section className={css.section} aria-labelledby="team" data-cards>
      <div className={css.head}>
        <h2 id="team">People{team !== null && `, ${team.members} of ${team.maxMembers}`}</h2>
        {team !== null && isOpen && <Button onClick={() => setAsked({ to: 'invite' })}>Invite a person</Button>}
      </div>
      <p>{limitsOf(license)}</p>
      <Table
        caption="People"
        columns={columns}
        {...members.table}
        rowKey={({ id }) => id}
        empty={<p className={css.sub}>Nobody yet. The buyer can invite people, too.</p>}
      />
      {asked?.to === 'invite' && <Invite license={license} onClose={() => setAsked(null)} />}
      {asked?.to === 'resend' && <Resend license={license} member={asked.member} onClose={() => setAsked(null)} />}
      {asked?.to === 'remove' && <Remove license={license} member={asked.member} onClose={() => setAsked(null)} />}
    </section>
  );
}

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
      description={`The code is not stored, so ${member.email} gets a new one. The old code seats no device from now on; devices keep their seats.`}
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
