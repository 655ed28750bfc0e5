import { defineProblem } from '../../../common/problems/index.js';

export const MemberNotFound = defineProblem({
  code: 'member_not_found',
  status: 404,
  title: 'Member not found',
  cause: 'The tenant has no member with this user id. The user may have left.',
  remedy: 'List the members with GET /members.',
});

export const LastOwner = defineProblem(
  {
    code: 'last_owner',
    status: 409,
    title: 'Last owner',
    cause: 'The change would leave the tenant without an owner.',
    remedy: 'Make another member an owner first.',
  },
  () => 'A tenant needs an owner, and this is the last one. Make another member an owner first.',
);

export const OwnerRequired = defineProblem(
  {
    code: 'owner_required',
    status: 403,
    title: 'Owner required',
    cause:
      'An admin tried to grant the role of an owner, to change or remove an owner, or to revoke the invitation of one.',
    remedy: 'Ask an owner to do it.',
  },
  () => 'Only an owner can make someone an owner, change or remove an owner, or revoke the invitation of one.',
);
