import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { Actions, Button, Cell, Detail, Table, Time, type Column } from '../../ui';
import type { Members } from './members';
import { TeamDialog, type Asked } from './team-dialogs';
import css from './licenses.module.css';

type License = Schemas['LicenseWithDevices'];
type Member = Schemas['LicenseMember'];

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
        <Cell>
          {email}
          <Detail>code …{codeHint}</Detail>
        </Cell>
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
        {team !== null && isOpen && (
          <Actions>
            <Button onClick={() => setAsked({ to: 'invite' })}>Invite a person</Button>
            <Button onClick={() => setAsked({ to: 'link' })}>Make a link</Button>
          </Actions>
        )}
      </div>
      <p>{limitsOf(license)}</p>
      <Table
        caption="People"
        columns={columns}
        {...members.table}
        rowKey={({ id }) => id}
        empty={<Detail>Nobody yet. The buyer can invite people, too.</Detail>}
      />
      {asked !== null && <TeamDialog asked={asked} license={license} onClose={() => setAsked(null)} />}
    </section>
  );
}
