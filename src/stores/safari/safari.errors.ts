import { MINUTE_MS } from '../../common/system/index.js';
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
} from '../failures/index.js';
import { apiErrorOf, type ApiError } from './safari.api-error.js';

const hasCode =
  (pattern: RegExp) =>
  ({ codes }: ApiError): boolean =>
    codes.some((code) => pattern.test(code));

/** Codes of associated errors that pass without anybody's help. */
const TRANSIENT =
  /^(STATE_ERROR(\.ENTITY_STATE_INVALID|\.ITEM_PART_OF_ANOTHER_SUBMISSION)?|ENTITY_ERROR\.ATTRIBUTE\.INVALID\.INVALID_STATE)$/;

/** All other associated errors, documented or not, need a person. */
const needsPerson = ({ associated }: ApiError): boolean => associated.some((code) => !TRANSIENT.test(code));

/** Something is missing, such as a screenshot. */
const REQUIRED = /^STATE_ERROR\.\w*REQUIRED(\.|$)/;

/** Values that only a person can fill in or change, unlike an attribute that cannot be changed at the moment. */
const INVALID_VALUE = /^ENTITY_ERROR\.(?!ATTRIBUTE\.INVALID\.INVALID_STATE)/;

/** The first rule that matches decides (src/stores/README.md#safari-errors). */
const RULES: readonly ErrorRule<ApiError>[] = [
  WEB_PAGE_RULE,
  { when: isStatus(429), kind: 'retry' },
  { when: ({ status }) => status >= 500 || status === 408, kind: 'retry' },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'It refused a new token. The key was revoked, its ids do not belong together, or the clock of this server is wrong.',
  },
  {
    when: allOf<ApiError>(isStatus(403), hasCode(/AGREEMENT/)),
    kind: 'config',
    hint: 'The account holder must accept the agreements in App Store Connect, under Business.',
  },
  {
    when: isStatus(403),
    kind: 'credential',
    hint: 'The key needs the role App Manager and access to this app.',
  },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "Check the target's storeItemId and that the key has access to the app.",
  },
  {
    when: allOf<ApiError>(isStatus(409, 422), messageMatches(/'whatsNew'/)),
    kind: 'config',
    hint: 'Push the version again with release notes, or give the target some for all versions.',
  },
  {
    when: allOf<ApiError>(isStatus(409, 422), anyOf<ApiError>(needsPerson, hasCode(REQUIRED))),
    kind: 'config',
    hint: 'Complete it in App Store Connect.',
  },
  {
    when: allOf<ApiError>(
      isStatus(409),
      messageMatches(/\bversion\b.*\b(higher|greater|newer|previously used|already been used)\b/i),
    ),
    kind: 'artifact',
  },
  {
    when: allOf<ApiError>(
      isStatus(409),
      messageMatches(
        /in the current state|not ready|in progress|processing|already (been )?added|cannot be (edited|modified|reviewed)|can not be modified/i,
      ),
    ),
    kind: 'wait',
  },
  { when: allOf<ApiError>(isStatus(409), hasCode(INVALID_VALUE)), kind: 'config' },
  { when: allOf<ApiError>(isStatus(409), hasCode(/STATE/)), kind: 'wait' },
  { when: isStatus(409), kind: 'retry' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** Calls are counted over a rolling hour, so some become available within minutes. */
const HOURLY_LIMIT_WAIT_MS = 10 * MINUTE_MS;

/** Classifies an error of App Store Connect. Pure. */
export function safariFailure(answer: StoreAnswer, now: Date): StoreFailure {
  const error = apiErrorOf(answer);
  const rule = ruleFor(RULES, error);
  const message = error.message || `App Store Connect answered ${[error.status, ...error.codes].join(' ')}.`;
  return failureOf(answer, rule, message, { retryAt: rule.kind === 'retry' ? retryAtOf(answer, now) : undefined });
}

/** `Retry-After`, or a later attempt when the hourly limit is used up. */
function retryAtOf(answer: StoreAnswer, now: Date): Date | undefined {
  const retryAfter = retryAfterOf(answer, now);
  if (retryAfter !== undefined || answer.status !== 429) return retryAfter;
  const isUsedUp = /user-hour-rem:\s*0\b/.test(answer.headers.get('x-rate-limit') ?? '');
  return isUsedUp ? new Date(now.getTime() + HOURLY_LIMIT_WAIT_MS) : undefined;
}

/** Whether what a request names does not exist, which an earlier attempt may have caused. */
export const isNotFound = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && failure.details.status === 404;

/** Whether the request does not fit the current state, which an earlier attempt may have caused. */
export function isConflict(failure: unknown): failure is StoreFailure {
  return failure instanceof StoreFailure && failure.details.status === 409;
}
