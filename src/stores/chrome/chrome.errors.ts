import {
  allOf,
  anyOf,
  type ErrorRule,
  failureOf,
  isStatus,
  messageMatches,
  retryAfterOf,
  ruleFor,
  type StoreAnswer,
  StoreFailure,
  WEB_PAGE_RULE,
  withFullStop,
} from '../failures/index.js';
import { apiErrorOf, type ApiError } from './chrome.api-error.js';

const hasReason =
  (pattern: RegExp) =>
  ({ reasons }: ApiError): boolean =>
    reasons.some((reason) => pattern.test(reason));

const needsSignature = hasReason(/^PKG_MUST_UPDATE_AS_CRX$/);
const isOfPackage = hasReason(/^(PKG_|INVALID_PACKAGE$)/);
const IN_REVIEW = /\b(in|under|pending) review\b/i;

/** The first rule that matches decides (src/stores/README.md#chrome-errors, src/stores/README.md#chrome-rules). */
const RULES: readonly ErrorRule<ApiError>[] = [
  WEB_PAGE_RULE,
  {
    when: anyOf<ApiError>(isStatus(429), hasReason(/^(RATE_LIMIT_EXCEEDED|(user)?RateLimitExceeded|quotaExceeded)$/)),
    kind: 'retry',
  },
  { when: ({ status }) => status >= 500 || status === 408 || status === 499, kind: 'retry' },
  // An open review may also be announced as "Publish condition not met", so the rules about reviews come first.
  { when: hasReason(/^((ITEM_)?NOT_UPDATE?ABLE|ITEM_PENDING_REVIEW)$/), kind: 'wait' },
  {
    when: allOf<ApiError>(isStatus(400, 409), messageMatches(IN_REVIEW), (error) => !isOfPackage(error)),
    kind: 'wait',
  },
  { when: messageMatches(/publish condition not met/i), kind: 'config' },
  {
    when: messageMatches(/seven-day active users/i),
    kind: 'config',
    hint: "Set the target's rolloutPercent to at most the current share of users, or to null before the version is submitted.",
  },
  { when: hasReason(/^PKG_INTERNAL_ERROR/), kind: 'retry' },
  {
    when: needsSignature,
    kind: 'config',
    hint: "The item takes only packages signed with its author's key (Verified CRX Uploads).",
  },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'It refused an access token that was issued for this credential a moment ago.',
  },
  {
    when: allOf<ApiError>(
      isStatus(403),
      anyOf<ApiError>(
        hasReason(/^(SERVICE_DISABLED|accessNotConfigured)$/),
        messageMatches(/has not been used in project|is disabled/i),
      ),
    ),
    kind: 'config',
    hint: "Enable the Chrome Web Store API in the credential's Google Cloud project.",
  },
  {
    when: allOf<ApiError>(isStatus(403), messageMatches(/suspend|taken down|terminated|2-step|two-step|agreement/i)),
    kind: 'config',
  },
  {
    when: allOf<ApiError>(isStatus(403), hasReason(/^(ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions)$/)),
    kind: 'credential',
    hint: 'The refresh token was granted without the scope https://www.googleapis.com/auth/chromewebstore.',
  },
  {
    when: isStatus(403),
    kind: 'credential',
    hint: "Add the credential's account in the Developer Dashboard under Account, and check the credential's publisherId.",
  },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "The publisher has no such item. Check the target's storeItemId and the credential's publisherId.",
  },
  { when: anyOf<ApiError>(isOfPackage, isStatus(413)), kind: 'artifact' },
  { when: messageMatches(/ready to publish|being processed/i), kind: 'wait' },
  { when: messageMatches(/\bversion\b.*\b(larger|greater|higher|newer)\b/i), kind: 'artifact' },
  { when: isStatus(409), kind: 'retry' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** Classifies an error of the Chrome Web Store's API. Pure. */
export function chromeFailure(answer: StoreAnswer, now: Date): StoreFailure {
  const error = apiErrorOf(answer);
  const rule = ruleFor(RULES, error);
  const { status, code } = error;
  const message = error.message || `The Chrome Web Store answered ${status}${code && ` ${code}`}.`;
  return failureOf(answer, rule, withFullStop(message), {
    retryAt: rule.kind === 'retry' ? retryAfterOf(answer, now) : undefined,
    ...(needsSignature(error) && { needsSignature: true }),
  });
}

/** Whether the API refused the access token, by its status or in the body of a 200. */
export function isTokenRefused(answer: StoreAnswer): boolean {
  return apiErrorOf(answer).status === 401;
}

/** Whether the request does not fit the item's state, which an earlier attempt may have caused. */
export function isPreconditionFailed(failure: unknown): failure is StoreFailure {
  return (
    failure instanceof StoreFailure &&
    (failure.kind === 'wait' || failure.kind === 'config') &&
    failure.details.status === 400
  );
}

/** Whether the API answered and would not, rather than not answering for now. */
export function isRefusal(failure: unknown): failure is StoreFailure {
  return failure instanceof StoreFailure && (failure.kind === 'credential' || failure.kind === 'config');
}

/** Whether a refusal says that the item is not the publisher's, or the key not one of the publisher's. */
export function isOfAnotherAccount({ kind, details }: StoreFailure): boolean {
  return kind === 'credential' || details.status === 404;
}
