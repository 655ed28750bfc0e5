import { defineProblem } from '../../../common/problems/index.js';

export const IdentityNotFound = defineProblem(
  {
    code: 'identity_not_found',
    status: 404,
    title: 'Linked sign-in not found',
    cause: 'No person of an identity provider is linked to the user under this id.',
    remedy: 'List the linked ones with GET /auth/oidc/identities.',
  },
  () => 'No sign-in of an identity provider is linked to you under this id.',
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
