import { asList, asRecord, asText, parseRetryAfter, redact } from '../../common/net/index.js';
import { ended, inWords, isStatus, type StoreAnswer } from '../refusals.js';
import { StoreFailure, type FailureKind } from '../store-failure.js';
import type { Operation, OperationOf } from './edge.operation.js';

/** The calls, as far as their refusals differ in meaning. */
export type EdgeCall = OperationOf | 'read';

/** After a 429 that names no time (docs/stores.md#edge-errors). */
const THROTTLED_MS = 60_000;

interface AnswerRule {
  readonly when: (answer: StoreAnswer, call: EdgeCall) => boolean;
  readonly kind: FailureKind;
  /** What to do about it, after the store's own words. */
  readonly hint?: string;
  /** It says that a submission is under way. */
  readonly hasSubmission?: true;
}

/** The first rule that holds decides about an answer that is not what was asked for (docs/stores.md#edge-errors). */
const ANSWER_RULES: readonly AnswerRule[] = [
  { when: isStatus(408, 429), kind: 'retry' },
  { when: ({ status }) => status >= 500, kind: 'retry' },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'Client id and API key do not belong together, or the key has lapsed: Partner Center lets it live for 72 days and makes a new one under Publish API.',
  },
  {
    when: ({ text, json }) => json === undefined && /^\s*</.test(text),
    kind: 'retry',
    hint: 'It answered with a web page instead of its API.',
  },
  { when: isStatus(403), kind: 'credential', hint: 'Check in Partner Center that the Publish API is enabled.' },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "The account of this credential has no such product: check the target's storeItemId, which is the product id (a GUID) of Partner Center.",
  },
  {
    when: (answer, call) => call === 'publish' && isStatus(409)(answer),
    kind: 'wait',
    hint: 'Another submission is in progress.',
    hasSubmission: true,
  },
  { when: isStatus(410), kind: 'config', hint: 'This way into the API was closed by Microsoft.' },
  { when: (answer, call) => call === 'upload' && isStatus(400, 413, 415)(answer), kind: 'artifact' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** Neither an answer nor an error that means anything to us: a redirect, a success without what it should hold. */
const ODD: Omit<AnswerRule, 'when'> = {
  kind: 'retry',
  hint: 'It answered with nothing that its API documents.',
};

/** What an answer of the API means that is not what was asked for; pure. */
export function edgeFailure(answer: StoreAnswer, call: EdgeCall, now: Date): StoreFailure {
  const { kind, hint, hasSubmission = false } = ANSWER_RULES.find((rule) => rule.when(answer, call)) ?? ODD;
  const words = wordsOf(answer.json);
  const opening = words === '' ? `Microsoft Edge Add-ons answered ${answer.status}.` : ended(words);
  const named = parseRetryAfter(answer.headers.get('retry-after'), now);
  const throttled = answer.status === 429 ? new Date(now.getTime() + THROTTLED_MS) : undefined;
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    hasSubmission,
    status: answer.status,
    retryAt: kind === 'retry' ? (named ?? throttled) : undefined,
    raw: redact(answer.json ?? answer.text),
  });
}

/** Everything that an error body says, whichever of its shapes it has. */
function wordsOf(json: unknown): string {
  const body = asRecord(json);
  const error = asRecord(body?.['error']);
  const said = [
    asText(body?.['message']),
    asText(error?.['message']) ?? asText(body?.['error']),
    ...asList(body?.['errors']).map((one) => asText(asRecord(one)?.['message']) ?? asText(one)),
  ];
  return wordsFrom(said.filter((one) => one !== undefined));
}

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

/** The store says what is wrong, under its own code for that or under none. */
const isInvalid = (operation: Operation): boolean =>
  hasCode('PackageValidationError', 'SubmissionValidationError')(operation) ||
  (operation.errorCode === '' && operation.errors.length > 0);

/** Words about the package rather than about the listing around it. */
const OF_PACKAGE = /\b(version|package|manifest|zip|file|bundle|crx)\b/i;

/** The first rule that holds decides about an operation that `Failed` (docs/stores.md#edge-errors). */
const OPERATION_RULES: readonly OperationRule[] = [
  { when: hasCode('NoModulesUpdated'), kind: 'done' },
  { when: hasCode('InProgressSubmission', 'UnpublishInProgress'), kind: 'wait' },
  {
    when: hasCode('CreateNotAllowed'),
    kind: 'config',
    hint: 'The first version of a product is published by hand in Partner Center.',
  },
  {
    when: hasCode('ModuleStateUnPublishable'),
    kind: 'config',
    hint: 'Complete it in Partner Center.',
  },
  // An upload is of a package and nothing else, so that whatever it lists is about that, under codes that no document names as well.
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
  { when: hasCode(''), kind: 'retry', hint: 'It gives no reason.', isUnexplained: true },
  { when: () => true, kind: 'config', hint: 'No document of the store names this error.' },
];

const ruleFor = (operation: Operation, of: OperationOf): OperationRule =>
  // The last rule always holds.
  OPERATION_RULES.find((rule) => rule.when(operation, of)) as OperationRule;

/** How a failed operation is to be treated; pure. */
export const failureKindOf = (operation: Operation, of: OperationOf): FailureKind => ruleFor(operation, of).kind;

/** What a failed operation means, with everything that the store lists; pure. */
export function operationFailure(operation: Operation, of: OperationOf): StoreFailure {
  const { kind, hint, isUnexplained = false } = ruleFor(operation, of);
  const { errorCode, message, errors, raw } = operation;
  const words = wordsFrom([message, ...errors]);
  const said = [errorCode, words].filter(Boolean).join(': ');
  const opening = said === '' ? `The ${of} failed.` : ended(said);
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    hasSubmission: errorCode === 'InProgressSubmission',
    isFinal: true,
    isUnexplained,
    raw,
  });
}

function wordsFrom(said: readonly string[]): string {
  return inWords([...new Set(said)].filter((one) => one !== '').map(ended));
}
