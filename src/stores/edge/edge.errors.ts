import { MINUTE_MS } from '../../common/system/index.js';
import { asList, asRecord, asText } from '../../common/net/pure.js';
import {
  type FailureKind,
  failureOf,
  isStatus,
  joinTexts,
  retryAfterOf,
  type StoreAnswer,
  StoreFailure,
  UNDOCUMENTED_ANSWER,
  WEB_PAGE_RULE,
  withFullStop,
} from '../failures/index.js';
import { KEY_LAPSES_AFTER_DAYS } from './edge.credentials.js';
import type { Operation, OperationOf } from './edge.operation.js';

/** The calls whose errors differ in meaning. */
export type EdgeCall = OperationOf | 'read';

/** The wait after a 429 without `Retry-After` (src/stores/README.md#edge-errors). */
const THROTTLED_MS = MINUTE_MS;

interface AnswerRule {
  readonly when: (answer: StoreAnswer, call: EdgeCall) => boolean;
  readonly kind: FailureKind;
  /** Advice that follows the store's own message. */
  readonly hint?: string;
  /** It reports an open submission. */
  readonly hasSubmission?: true;
}

/** The first rule that matches decides about an error (src/stores/README.md#edge-errors). */
const ANSWER_RULES: readonly AnswerRule[] = [
  { when: isStatus(408, 429), kind: 'retry' },
  { when: ({ status }) => status >= 500, kind: 'retry' },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: `The API key does not belong to the client id, or it has expired. A key expires after ${KEY_LAPSES_AFTER_DAYS} days; create a new one in Partner Center under Publish API.`,
  },
  {
    when: ({ text, json }) => json === undefined && /^\s*</.test(text),
    kind: 'retry',
    hint: WEB_PAGE_RULE.hint,
  },
  { when: isStatus(403), kind: 'credential', hint: 'Check that the Publish API is enabled in Partner Center.' },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "The credential's account has no such product. Check the target's storeItemId: it is the product id (a GUID) in Partner Center.",
  },
  {
    when: (answer, call) => call === 'publish' && isStatus(409)(answer),
    kind: 'wait',
    hint: 'Another submission is in progress.',
    hasSubmission: true,
  },
  { when: isStatus(410), kind: 'config', hint: 'Microsoft no longer supports this version of the API.' },
  { when: (answer, call) => call === 'upload' && isStatus(400, 413, 415)(answer), kind: 'artifact' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** Classifies an error of the API. Pure. */
export function edgeFailure(answer: StoreAnswer, call: EdgeCall, now: Date): StoreFailure {
  const rule: Omit<AnswerRule, 'when'> = ANSWER_RULES.find(({ when }) => when(answer, call)) ?? UNDOCUMENTED_ANSWER;
  const message = messageOf(answer.json) || `Microsoft Edge Add-ons answered ${answer.status}.`;
  const throttled = answer.status === 429 ? new Date(now.getTime() + THROTTLED_MS) : undefined;
  return failureOf(answer, rule, withFullStop(message), {
    hasSubmission: rule.hasSubmission ?? false,
    retryAt: rule.kind === 'retry' ? (retryAfterOf(answer, now) ?? throttled) : undefined,
  });
}

/** All messages of an error body, in any of its forms. */
function messageOf(json: unknown): string {
  const body = asRecord(json);
  const error = asRecord(body?.['error']);
  const texts = [
    asText(body?.['message']),
    asText(error?.['message']) ?? asText(body?.['error']),
    ...asList(body?.['errors']).map((one) => asText(asRecord(one)?.['message']) ?? asText(one)),
  ];
  return sentencesOf(texts.filter((text) => text !== undefined));
}

/** Kind of failure of a failed operation. */
interface OperationRule {
  readonly when: (operation: Operation, of: OperationOf) => boolean;
  readonly kind: FailureKind;
  readonly hint?: string;
  readonly isUnexplained?: true;
}

const hasCode =
  (...codes: readonly string[]) =>
  ({ errorCode }: Operation): boolean =>
    codes.includes(errorCode);

/** The store explains what is invalid, with or without a code. */
const isInvalid = (operation: Operation): boolean =>
  hasCode('PackageValidationError', 'SubmissionValidationError')(operation) ||
  (operation.errorCode === '' && operation.errors.length > 0);

/** Words about the package rather than its listing. */
const OF_PACKAGE = /\b(version|package|manifest|zip|file|bundle|crx)\b/i;

/** The first rule that matches decides about an operation that `Failed` (src/stores/README.md#edge-errors). */
const OPERATION_RULES: readonly OperationRule[] = [
  { when: hasCode('NoModulesUpdated'), kind: 'done' },
  { when: hasCode('InProgressSubmission', 'UnpublishInProgress'), kind: 'wait' },
  {
    when: hasCode('CreateNotAllowed'),
    kind: 'config',
    hint: 'Publish the first version of the product by hand in Partner Center.',
  },
  {
    when: hasCode('ModuleStateUnPublishable'),
    kind: 'config',
    hint: 'Complete it in Partner Center.',
  },
  // An upload contains nothing but the package, so its errors are about the package, even under an undocumented code.
  {
    when: (operation, of) => of === 'upload' && (isInvalid(operation) || operation.errors.length > 0),
    kind: 'artifact',
  },
  { when: hasCode('PackageValidationError'), kind: 'artifact' },
  {
    when: (operation) => isInvalid(operation) && OF_PACKAGE.test(operation.errors.join(' ') || operation.message),
    kind: 'artifact',
  },
  { when: isInvalid, kind: 'config', hint: 'Complete it in Partner Center.' },
  { when: hasCode(''), kind: 'retry', hint: 'Microsoft gives no reason.', isUnexplained: true },
  { when: () => true, kind: 'config', hint: 'Microsoft does not document this error.' },
];

const operationRuleFor = (operation: Operation, of: OperationOf): OperationRule =>
  // The last rule always matches.
  OPERATION_RULES.find((rule) => rule.when(operation, of)) as OperationRule;

/** Returns the kind of failure of a failed operation. Pure. */
export const failureKindOf = (operation: Operation, of: OperationOf): FailureKind =>
  operationRuleFor(operation, of).kind;

/** Classifies a failed operation, with everything that the store lists. Pure. */
export function operationFailure(operation: Operation, of: OperationOf): StoreFailure {
  const { kind, hint, isUnexplained = false } = operationRuleFor(operation, of);
  const { errorCode, message, errors, raw } = operation;
  const reported = [errorCode, sentencesOf([message, ...errors])].filter(Boolean).join(': ');
  const opening = reported === '' ? `The ${of} failed.` : withFullStop(reported);
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    hasSubmission: errorCode === 'InProgressSubmission',
    isFinal: true,
    isUnexplained,
    raw,
  });
}

function sentencesOf(texts: readonly string[]): string {
  return joinTexts([...new Set(texts)].filter((text) => text !== '').map(withFullStop));
}
