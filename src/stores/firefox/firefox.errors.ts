import { asRecord, parseRetryAfter } from '../../common/net/pure.js';
import {
  allOf,
  type ErrorRule,
  failureOf,
  isStatus,
  messageMatches,
  ruleFor,
  type StoreAnswer,
  StoreFailure,
  type ThrottledCalls,
  WEB_PAGE_RULE,
  withFullStop,
} from '../failures/index.js';
import { apiErrorOf, disabledBy, type ApiError } from './firefox.api-error.js';

const isAboutField =
  (field: string) =>
  ({ fields }: ApiError): boolean =>
    fields.includes(field);

const isAccountError = isStatus(401, 403);

/** AMO's answers to a correct key when one of the clocks is wrong. */
const CLOCK = /signature has expired|JWT iat|exp \(expiration\) is too long/i;
const CLOCK_HINT = 'The clock of this server seems to be wrong.';
const HIDDEN_HINT = 'Enable the add-on at addons.mozilla.org.';

/** The first rule that matches decides (src/stores/README.md#firefox-authentication, src/stores/README.md#firefox-errors). */
const RULES: readonly ErrorRule<ApiError>[] = [
  WEB_PAGE_RULE,
  { when: isStatus(429), kind: 'retry' },
  { when: allOf<ApiError>(isStatus(503), messageMatches(/maintenance|read.?only/i)), kind: 'wait' },
  { when: ({ status }) => status >= 500 || status === 408, kind: 'retry' },
  { when: allOf<ApiError>(isStatus(401), messageMatches(CLOCK)), kind: 'retry', hint: CLOCK_HINT },
  {
    when: allOf<ApiError>(isAccountError, messageMatches(/agreement/i)),
    kind: 'config',
    hint: "The key's owner must accept the developer agreement at addons.mozilla.org.",
  },
  { when: ({ disabledBy: by }) => by === 'mozilla', kind: 'config', hint: 'Mozilla has disabled the add-on.' },
  { when: ({ disabledBy: by }) => by === 'developer', kind: 'config', hint: HIDDEN_HINT },
  {
    when: allOf<ApiError>(isAccountError, messageMatches(/verif/i, /e-?mail/i)),
    kind: 'config',
    hint: "The key's owner must verify their e-mail address at addons.mozilla.org.",
  },
  {
    when: allOf<ApiError>(isAccountError, messageMatches(/been blocked|not allowed for submission/i)),
    kind: 'config',
    hint: 'Mozilla has blocked the account or the address of this server. Contact Mozilla to have the block removed.',
  },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'Create new API credentials at addons.mozilla.org, in the Developer Hub under Manage API Keys.',
  },
  { when: isStatus(403), kind: 'credential', hint: "The key's owner must be an author of the add-on." },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "Check the target's storeItemId. The add-on must already exist at addons.mozilla.org.",
  },
  { when: isStatus(451), kind: 'config' },
  { when: isStatus(409, 413), kind: 'artifact' },
  { when: isStatus(415), kind: 'config' },
  { when: messageMatches(/while add-on is disabled/i), kind: 'config', hint: HIDDEN_HINT },
  {
    when: isAboutField('source'),
    kind: 'config',
    hint: 'Upload another source archive: .zip, .tar.gz, .tgz or .tar.bz2.',
  },
  {
    when: messageMatches(/metadata is required|required for listed versions/i),
    kind: 'config',
    hint: "Complete the add-on's listing at addons.mozilla.org.",
  },
  { when: messageMatches(/^missing "/i), kind: 'config' },
  {
    when: messageMatches(/must be greater than|add-on id|does not match|\bguid\b|manifest|unsupported file type/i),
    kind: 'artifact',
  },
  {
    when: allOf<ApiError>(isAboutField('upload'), messageMatches(/does not exist/i)),
    kind: 'retry',
    hint: 'The package will be uploaded again.',
  },
  { when: isAboutField('upload'), kind: 'artifact' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/**
 * Classifies an error of AMO's API. Pure.
 * @param calls the throttle that counts the call; undefined for reads, which AMO does not throttle by user
 */
export function firefoxFailure(answer: StoreAnswer, now: Date, calls?: ThrottledCalls): StoreFailure {
  const error = apiErrorOf(answer);
  const rule = ruleFor(RULES, error);
  const message = error.message || `addons.mozilla.org answered ${error.status}.`;
  return failureOf(answer, rule, withFullStop(message), {
    retryAt: rule.kind === 'retry' || rule.kind === 'wait' ? retryAtOf(answer, message, now) : undefined,
    throttles: error.status === 429 ? calls : undefined,
  });
}

/** `Retry-After`, or else the seconds in the message (src/stores/README.md#firefox-errors). */
function retryAtOf({ headers }: StoreAnswer, message: string, now: Date): Date | undefined {
  const seconds = /available in (\d+) seconds?/i.exec(message)?.[1];
  return parseRetryAfter(headers.get('retry-after') ?? seconds, now);
}

/** The store's time, when it refused a token because of a wrong clock; `undefined` for every other answer. */
export function serverTimeAfterClockError(answer: StoreAnswer): Date | undefined {
  const error = apiErrorOf(answer);
  const time = Date.parse(answer.headers.get('date') ?? '');
  return error.status === 401 && CLOCK.test(error.message) && !Number.isNaN(time) ? new Date(time) : undefined;
}

/** Whether the requested thing does not exist. */
export const isNotFound = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && failure.kind === 'config' && failure.details.status === 404;

/** Whether the store may have done what it was asked, since no answer came. */
export const isAnswerLost = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && failure.kind === 'retry' && failure.details.status === undefined;

/** Whether the version or its upload was already used, perhaps by an earlier attempt. */
export const isNumberUsed = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure &&
  failure.kind === 'artifact' &&
  (failure.details.status === 409 || /already been submitted/i.test(failure.message));

/** Whether the add-on is hidden because Mozilla disabled it. */
export const isTakenDown = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && disabledBy(asRecord(failure.details.raw)) === 'mozilla';
