import { defineProblem } from '../../../../common/problems/index.js';

export const IdentityNotFound = defineProblem(
  {
    code: 'identity_not_found',
    status: 404,
    title: 'Linked sign-in not found',
    cause: 'The user has no linked identity provider account with this id.',
    remedy: 'List the linked ones with GET /auth/oidc/identities.',
  },
  () => 'You have no linked identity provider account with this id.',
);

export const OnlyWayIn = defineProblem(
  {
    code: 'only_way_in',
    status: 409,
    title: 'Only way to log in',
    cause: 'The user has no password, or passwords are switched off, and no other person of the provider is linked.',
    remedy: 'Set a password first, with POST /auth/password/reset-request.',
  },
  () => 'You could not log in again without it. Set a password first.',
);
