import { defineProblem } from '../../../common/problems/index.js';

export const TrustRuleNotFound = defineProblem({
  code: 'trust_rule_not_found',
  status: 404,
  title: 'Trust rule not found',
  cause: 'The tenant has no trust rule with this id. It may have been deleted.',
  remedy: 'List the trust rules with GET /ci/trust-rules.',
});

export const TrustRuleLimitReached = defineProblem(
  {
    code: 'trust_rule_limit_reached',
    status: 403,
    title: 'Too many trust rules',
    cause: 'The tenant has as many trust rules as it can have.',
    remedy: 'Delete a rule that you no longer use.',
  },
  (limit: number) => ({
    detail: `A tenant can have ${limit} trust rules. Delete one that you no longer use.`,
    members: { limit },
  }),
);
