import { defineProblem } from '../../../common/problems/index.js';

export const NeedNotFound = defineProblem(
  {
    code: 'need_not_found',
    status: 404,
    title: 'Need not found',
    cause: 'Nothing of this key needs attention now, or the caller may not see it.',
    remedy: 'List what needs attention with GET /overview.',
  },
  () => 'Nothing of this key needs attention now.',
);

export const AssigneeCannotAct = defineProblem(
  {
    code: 'assignee_cannot_act',
    status: 409,
    title: 'The assignee cannot act',
    cause:
      "The member's role does not include what answers the need, or the member asked for the approval, which another person gives.",
    remedy: 'Choose a member who may answer it, or have an admin change the role.',
  },
  (email: string, why: string) => `${email} ${why}.`,
);
