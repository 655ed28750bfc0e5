import { defineProblem } from '../../../common/problems/index.js';
import type { CiRun } from '../ci-tokens/index.js';

export const TrustRuleMissing = defineProblem(
  {
    code: 'trust_rule_missing',
    status: 403,
    title: 'No trust rule for this run',
    cause:
      'The token is genuine, but no trust rule of the tenant, or for the extension, covers its repository, event, and ref or environment.',
    remedy:
      'Add a rule with the values in run with POST /ci/trust-rules, or correct the workflow or the tenantId or extension that it sends.',
  },
  ({ issuer, repository, ref, environment, event }: CiRun, why: 'replaced' | 'event' | 'uncovered') => ({
    detail: {
      replaced: `The trust rule for ${repository} was first used by another repository of that name. Delete the rule and add it again if the repository is yours.`,
      event: `Strangers can cause runs of the event ${event ?? 'none'}, so no rule trusts them. Publish when something is pushed, released or scheduled, or by hand.`,
      uncovered: `No trust rule covers ${repository}, ref ${ref ?? 'none'}, environment ${environment ?? 'none'}, event ${event ?? 'none'}. Add a rule with this repository, and this ref or environment.`,
    }[why],
    members: { run: { issuer, repository, ref, environment, event } },
  }),
);
