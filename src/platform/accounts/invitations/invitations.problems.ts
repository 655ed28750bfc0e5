import { defineProblem } from '../../../common/problems/index.js';

export const InvitationExpired = defineProblem(
  {
    code: 'invitation_expired',
    status: 410,
    title: 'Invitation no longer valid',
    cause:
      'The invitation was accepted, revoked or replaced, is older than 7 days, or its sender may no longer invite.',
    remedy: 'Ask an owner or admin of the tenant for another invitation.',
  },
  () => 'An invitation can be accepted once, within 7 days. Ask for another one.',
);

export const InvitationNotFound = defineProblem({
  code: 'invitation_not_found',
  status: 404,
  title: 'Invitation not found',
  cause: 'The tenant has no invitation with this id. It may have been accepted.',
  remedy: 'List the invitations with GET /invitations.',
});

export const InvitationForAnother = defineProblem(
  {
    code: 'invitation_for_another',
    status: 403,
    title: 'Invitation for another address',
    cause: 'The invitation is for another e-mail address than that of the user who is logged in.',
    remedy: 'Log in with the invited address, or ask for an invitation of your own.',
  },
  () => 'This invitation is for another e-mail address than yours.',
);

export const AlreadyMember = defineProblem(
  {
    code: 'already_member',
    status: 409,
    title: 'Already a member',
    cause: 'A member of the tenant has this e-mail address.',
    remedy: 'Change the role of the member with PATCH /members/{userId}.',
  },
  () => 'A member of this tenant has this e-mail address already.',
);

export const MemberLimitReached = defineProblem(
  {
    code: 'member_limit_reached',
    status: 403,
    title: 'Too many members',
    cause: 'The tenant has reached MAX_MEMBERS, open invitations included.',
    remedy: 'Remove a member, or revoke an invitation.',
  },
  (limit: number) => ({
    detail: `A tenant can have ${limit} members and open invitations. Remove a member, or revoke an invitation.`,
    members: { limit },
  }),
);
