import type { ReactElement } from 'react';
import { answer, api, useMemberChoices, useWrite } from '../../api';
import { useSession } from '../../session';
import { Checkbox, ProblemNote } from '../../ui';
import { Section } from './settings';

/** Whether the person is mailed about what is assigned to them. */
export function AssignmentMails(): ReactElement {
  const { user, tenant } = useSession();
  const members = useMemberChoices();
  const change = useWrite({
    write: (assignmentMails: boolean) => answer(api.PATCH('/api/v1/members/me', { body: { assignmentMails } })),
    changes: [['members']],
    announcement: ({ assignmentMails }) =>
      assignmentMails ? 'You are mailed about what is assigned to you.' : 'You are no longer mailed about assignments.',
  });
  const own = members.data?.find(({ userId }) => userId === user.id);
  return (
    <Section title="Mails" about={`What ${tenant.name} may mail you about.`}>
      {members.problem !== null && <ProblemNote problem={members.problem} onRetry={members.retry} />}
      {change.error !== null && <ProblemNote problem={change.error} />}
      <Checkbox
        label="What is assigned to me"
        checked={own?.assignmentMails ?? true}
        disabled={own === undefined}
        onChecked={(isWanted) => change.mutate(isWanted)}
      />
    </Section>
  );
}
