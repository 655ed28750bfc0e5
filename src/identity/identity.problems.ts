import { defineProblem } from '../common/problems/index.js';

export const InvalidCredentials = defineProblem(
  {
    code: 'invalid_credentials',
    status: 401,
    title: 'E-mail or password is wrong',
    cause: 'The e-mail address is unknown, or the password is wrong.',
    remedy: 'Check both. The answer does not say which one is wrong.',
  },
  () => 'No user has this e-mail and this password.',
);

export const SignupClosed = defineProblem(
  {
    code: 'signup_closed',
    status: 403,
    title: 'Sign-up is closed',
    cause: 'A tenant exists and SIGNUP is not open.',
    remedy: 'Ask the operator for an account, or to start the service with SIGNUP=open.',
  },
  () => 'This service takes no new tenants. Its operator opens sign-up by SIGNUP=open.',
);

export const EmailTaken = defineProblem(
  {
    code: 'email_taken',
    status: 409,
    title: 'The e-mail is taken',
    cause: 'A user with this e-mail address exists.',
    remedy: 'Log in instead.',
  },
  () => 'A user with this e-mail exists already; log in instead.',
);

export const AccessTokenLimitReached = defineProblem(
  {
    code: 'access_token_limit_reached',
    status: 403,
    title: 'Too many access tokens',
    cause: 'The tenant has as many valid access tokens as MAX_ACCESS_TOKENS allows.',
    remedy: 'Revoke a token that is no longer used.',
  },
  (limit: number) => ({
    detail: `A tenant may have ${limit} access tokens. Revoke one that is no longer used.`,
    members: { limit },
  }),
);

export const AccessTokenNotFound = defineProblem(
  {
    code: 'access_token_not_found',
    status: 404,
    title: 'Access token not found',
    cause: 'The id is not one of this tenant’s access tokens, or the token was revoked.',
    remedy: 'List the tokens with GET /access-tokens.',
  },
  () => 'This tenant has no access token with that id.',
);
