import { defineProblem } from '../common/problems/index.js';

export const InvalidCredentials = defineProblem(
  {
    code: 'invalid_credentials',
    status: 401,
    title: 'Wrong e-mail or password',
    cause: 'No user has this e-mail address, or the password is wrong.',
    remedy: 'Check both. The answer does not reveal which one is wrong.',
  },
  () => 'The e-mail address or the password is wrong.',
);

export const SignupClosed = defineProblem(
  {
    code: 'signup_closed',
    status: 403,
    title: 'Sign-up is closed',
    cause: 'SIGNUP is closed, or a tenant exists and SIGNUP is not set.',
    remedy: 'Ask the operator for an account, or to set SIGNUP=open.',
  },
  () => 'Sign-up is closed. The operator can open it with SIGNUP=open.',
);

export const EmailTaken = defineProblem(
  {
    code: 'email_taken',
    status: 409,
    title: 'E-mail taken',
    cause: 'A user with this e-mail address already exists.',
    remedy: 'Log in instead.',
  },
  () => 'A user with this e-mail address already exists. Log in instead.',
);

export const AccessTokenLimitReached = defineProblem(
  {
    code: 'access_token_limit_reached',
    status: 403,
    title: 'Too many access tokens',
    cause: 'The tenant has reached MAX_ACCESS_TOKENS.',
    remedy: 'Revoke a token that you no longer use.',
  },
  (limit: number) => ({
    detail: `A tenant can have ${limit} access tokens. Revoke one that you no longer use.`,
    members: { limit },
  }),
);

export const AccessTokenNotFound = defineProblem(
  {
    code: 'access_token_not_found',
    status: 404,
    title: 'Access token not found',
    cause: 'The tenant has no access token with this id. It may have been revoked.',
    remedy: 'List the access tokens with GET /access-tokens.',
  },
  () => 'This tenant has no access token with this id.',
);
