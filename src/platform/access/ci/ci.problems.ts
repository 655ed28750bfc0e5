import { defineProblem } from '../../../common/problems/index.js';
import type { CiRun } from './tokens/ci-run.js';

/** Faults of a token of a CI service, and advice. */
const FAULTS = {
  malformed: 'The token is not a JSON Web Token with the claims of a CI job. It may be cut off.',
  issuer:
    'This service does not accept tokens from this issuer. The operator lists the accepted issuers in CI_ISSUERS.',
  algorithm: 'The token is signed in a way that no CI service uses.',
  unknown_key: 'The issuer has no such key. The token is forged, or its key was withdrawn.',
  signature: 'The signature of the token is wrong.',
  audience: 'The token was issued for another audience. Ask the CI service for one with the audience',
  expired: 'The token has expired. Ask for one right before you exchange it.',
  not_yet_valid: 'The token is not valid yet. Check the clocks of the CI service and of this server.',
} as const;
export type CiTokenFault = keyof typeof FAULTS;

export const CiTokenInvalid = defineProblem(
  {
    code: 'ci_token_invalid',
    status: 401,
    title: 'Invalid CI token',
    cause: 'The token is not one that an accepted CI service made for this service, or it has expired.',
    remedy: 'Ask the CI service for a token with PUBLIC_URL as its audience, and exchange it within minutes.',
  },
  (fault: CiTokenFault, audience: string) => ({
    detail: fault === 'audience' ? `${FAULTS.audience} ${audience}.` : FAULTS[fault],
    members: { fault },
    headers: { 'WWW-Authenticate': `Bearer realm="pierhead", error="invalid_token", error_description="${fault}"` },
  }),
);

export const CiTokenUsed = defineProblem(
  {
    code: 'ci_token_used',
    status: 409,
    title: 'CI token already used',
    cause: 'The token of the CI service was exchanged before. Each can be exchanged once.',
    remedy: 'Ask the CI service for a new token for each exchange.',
  },
  () => 'This token was exchanged before. Ask the CI service for a new one.',
);

export const CiIssuerUnreachable = defineProblem(
  {
    code: 'ci_issuer_unreachable',
    status: 503,
    title: 'CI service unreachable',
    cause: 'The keys of the CI service, with which its tokens are verified, could not be read.',
    remedy: 'Try again after the time in Retry-After.',
  },
  (issuer: string, retryAfterSeconds: number, cause?: unknown) => ({
    detail: `The keys of ${issuer} could not be read. Try again in ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(cause === undefined ? {} : { cause }),
  }),
);

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
