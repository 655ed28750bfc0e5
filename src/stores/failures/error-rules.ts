import { truncate, parseRetryAfter, redact, redactText, type HttpAnswer } from '../../common/net/index.js';
import { StoreFailure, type FailureDetails, type FailureKind } from './store-failure.js';

/** The part of an answer that decides what kind of failure it is. */
export type StoreAnswer = Pick<HttpAnswer, 'status' | 'headers' | 'text' | 'json'>;

/** Kind of failure of a store's error. The first rule of an adapter's list that matches decides. */
export interface ErrorRule<ApiError> {
  readonly when: (error: ApiError) => boolean;
  readonly kind: FailureKind;
  /** Advice that follows the store's own message. */
  readonly hint?: string;
}

type Test<ApiError> = ErrorRule<ApiError>['when'];

/** Longest part of a store's own words that is read, and goes into a message. */
const MAX_MESSAGE = 1000;

/** Whether all patterns are in what a store says, as far as people read it: an answer may be of any length, and patterns take longer than it. */
export const says = (words: string, ...patterns: readonly RegExp[]): boolean => {
  const read = words.slice(0, MAX_MESSAGE);
  return patterns.every((pattern) => pattern.test(read));
};

export const messageMatches =
  (...patterns: readonly RegExp[]): Test<{ readonly message: string }> =>
  ({ message }) =>
    says(message, ...patterns);

export const isStatus =
  (...statuses: readonly number[]): Test<{ readonly status: number }> =>
  ({ status }) =>
    statuses.includes(status);

export const anyOf =
  <ApiError>(...tests: readonly Test<ApiError>[]): Test<ApiError> =>
  (error) =>
    tests.some((test) => test(error));

export const allOf =
  <ApiError>(...tests: readonly Test<ApiError>[]): Test<ApiError> =>
  (error) =>
    tests.every((test) => test(error));

/** A proxy or a maintenance page answered instead of the API. */
export const WEB_PAGE_RULE: ErrorRule<{ readonly isPage: boolean }> = {
  when: ({ isPage }) => isPage,
  kind: 'retry',
  hint: 'It answered with a web page instead of its API.',
};

/** Neither a result nor an error that the API documents, such as a redirect or a garbled body. */
export const UNDOCUMENTED_ANSWER: Pick<ErrorRule<never>, 'kind' | 'hint'> = {
  kind: 'retry',
  hint: 'It sent an answer that its API does not document.',
};

export const ruleFor = <ApiError>(
  rules: readonly ErrorRule<ApiError>[],
  error: ApiError,
): Pick<ErrorRule<never>, 'kind' | 'hint'> => rules.find((rule) => rule.when(error)) ?? UNDOCUMENTED_ANSWER;

/** The failure that a rule makes of an answer: the store's message, then the hint. */
export function failureOf(
  { status, json, text }: StoreAnswer,
  { kind, hint }: Pick<ErrorRule<never>, 'kind' | 'hint'>,
  message: string,
  details: FailureDetails = {},
): StoreFailure {
  return new StoreFailure(kind, [message, hint].filter(Boolean).join(' '), {
    status,
    raw: redact(json ?? text),
    ...details,
  });
}

export const retryAfterOf = ({ headers }: StoreAnswer, now: Date): Date | undefined =>
  parseRetryAfter(headers.get('retry-after'), now);

export const isWebPage = ({ json, text, headers }: StoreAnswer): boolean =>
  json === undefined && (/^\s*</.test(text) || (headers.get('content-type') ?? '').includes('text/html'));

/** A store's sentences as one text, redacted and of limited length. */
export const joinTexts = (texts: readonly string[], max = MAX_MESSAGE): string =>
  truncate(redactText(texts.join(' ')), max);

/** The sentence with a full stop, so that another can follow. */
export const withFullStop = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);
