import { defineProblem } from '../../../common/problems/index.js';

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
