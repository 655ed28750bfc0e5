import { parseRetryAfter, redact } from '../../common/net/index.js';
import { allOf, anyOf, ended, isStatus, ODD, says, type RefusalRule, type StoreAnswer } from '../refusals.js';
import { StoreFailure } from '../store-failure.js';
import { complaintOf, type Complaint } from './chrome.complaint.js';

const hasReason =
  (pattern: RegExp) =>
  ({ reasons }: Complaint): boolean =>
    reasons.some((reason) => pattern.test(reason));

const isOfPackage = hasReason(/^(PKG_|INVALID_PACKAGE$)/);
const IN_REVIEW = /\b(in|under|pending) review\b/i;

/** The first rule that holds decides (docs/stores.md#chrome-errors, docs/stores.md#chrome-rules). */
const RULES: readonly RefusalRule<Complaint>[] = [
  { when: ({ isPage }) => isPage, kind: 'retry', hint: 'It answered with a web page instead of its API.' },
  {
    when: anyOf<Complaint>(isStatus(429), hasReason(/^(RATE_LIMIT_EXCEEDED|(user)?RateLimitExceeded|quotaExceeded)$/)),
    kind: 'retry',
  },
  { when: ({ status }) => status >= 500 || status === 408 || status === 499, kind: 'retry' },
  // An item in review can be refused as a "publish condition" that is not met, so review is asked about first.
  { when: hasReason(/^((ITEM_)?NOT_UPDATE?ABLE|ITEM_PENDING_REVIEW)$/), kind: 'wait' },
  {
    when: allOf<Complaint>(isStatus(400, 409), says(IN_REVIEW), (complaint) => !isOfPackage(complaint)),
    kind: 'wait',
  },
  { when: says(/publish condition not met/i), kind: 'config' },
  {
    when: says(/seven-day active users/i),
    kind: 'config',
    hint: "This is about the target's rolloutPercent: set it to no more than the share that is offered the version now, or to null before the version is submitted.",
  },
  { when: hasReason(/^PKG_INTERNAL_ERROR/), kind: 'retry' },
  {
    when: hasReason(/^PKG_MUST_UPDATE_AS_CRX$/),
    kind: 'config',
    hint: 'The item takes only packages signed by its own key; turn Verified CRX Uploads off in the Developer Dashboard.',
  },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'It refused an access token that had just been issued for this credential.',
  },
  {
    when: allOf<Complaint>(
      isStatus(403),
      anyOf<Complaint>(
        hasReason(/^(SERVICE_DISABLED|accessNotConfigured)$/),
        says(/has not been used in project|is disabled/i),
      ),
    ),
    kind: 'config',
    hint: "Enable the Chrome Web Store API in the credential's Google Cloud project.",
  },
  {
    when: allOf<Complaint>(isStatus(403), says(/suspend|taken down|terminated|2-step|two-step|agreement/i)),
    kind: 'config',
  },
  {
    when: allOf<Complaint>(isStatus(403), hasReason(/^(ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions)$/)),
    kind: 'credential',
    hint: 'The refresh token was granted without the scope https://www.googleapis.com/auth/chromewebstore.',
  },
  {
    when: isStatus(403),
    kind: 'credential',
    hint: "Add the credential's account under Account in the Developer Dashboard, and check its publisherId.",
  },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "The item is not under that publisher: check the target's storeItemId and the credential's publisherId.",
  },
  { when: anyOf<Complaint>(isOfPackage, isStatus(413)), kind: 'artifact' },
  { when: says(/ready to publish|being processed/i), kind: 'wait' },
  { when: says(/\bversion\b.*\b(larger|greater|higher|newer)\b/i), kind: 'artifact' },
  { when: isStatus(409), kind: 'retry' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** What a refusal of the Chrome Web Store's API means; pure. */
export function chromeFailure(answer: StoreAnswer, now: Date): StoreFailure {
  const complaint = complaintOf(answer);
  const { kind, hint } = RULES.find((rule) => rule.when(complaint)) ?? ODD;
  const { status, words } = complaint;
  const opening =
    words === '' ? `The Chrome Web Store answered ${status}${complaint.code && ` ${complaint.code}`}.` : ended(words);
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    status: answer.status,
    retryAt: kind === 'retry' ? parseRetryAfter(answer.headers.get('retry-after'), now) : undefined,
    raw: redact(answer.json ?? answer.text),
  });
}

/** Whether the API refused the access token itself, in the status or in the body of a 200. */
export function isTokenRefused(answer: StoreAnswer): boolean {
  return complaintOf(answer).status === 401;
}

/** Whether the store says that what was asked does not fit the item's present state, which an earlier try may have made. */
export function isPreconditionFailed(failure: unknown): failure is StoreFailure {
  return (
    failure instanceof StoreFailure &&
    (failure.kind === 'wait' || failure.kind === 'config') &&
    failure.details.status === 400
  );
}
