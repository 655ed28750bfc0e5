import { defineProblem } from '../../../common/problems/index.js';

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

export const AccessTokenNotFound = defineProblem({
  code: 'access_token_not_found',
  status: 404,
  title: 'Access token not found',
  cause: 'The tenant has no access token with this id. It may have been revoked.',
  remedy: 'List the access tokens with GET /access-tokens.',
});
