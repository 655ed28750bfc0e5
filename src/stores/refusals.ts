import { cutText, redactText, type HttpAnswer } from '../common/net/index.js';
import type { FailureKind } from './store-failure.js';

/** What the classification of a refusal looks at; any `HttpAnswer` is one. */
export type StoreAnswer = Pick<HttpAnswer, 'status' | 'headers' | 'text' | 'json'>;

/** How a store's complaint is to be treated; of an adapter's list the first rule that holds decides. */
export interface RefusalRule<Complaint> {
  readonly when: (complaint: Complaint) => boolean;
  readonly kind: FailureKind;
  /** What to do about it, after the store's own words. */
  readonly hint?: string;
}

type Test<Complaint> = RefusalRule<Complaint>['when'];

export const says =
  (pattern: RegExp): Test<{ readonly words: string }> =>
  ({ words }) =>
    pattern.test(words);

export const isStatus =
  (...statuses: readonly number[]): Test<{ readonly status: number }> =>
  ({ status }) =>
    statuses.includes(status);

export const anyOf =
  <Complaint>(...tests: readonly Test<Complaint>[]): Test<Complaint> =>
  (complaint) =>
    tests.some((test) => test(complaint));

export const allOf =
  <Complaint>(...tests: readonly Test<Complaint>[]): Test<Complaint> =>
  (complaint) =>
    tests.every((test) => test(complaint));

/** Neither an answer nor an error that means anything to us: a redirect, an empty or a garbled body. */
export const ODD: Pick<RefusalRule<never>, 'kind' | 'hint'> = {
  kind: 'retry',
  hint: 'It answered with nothing that its API documents.',
};

/** A web page instead of an answer of the API. */
export const isWebPage = ({ json, text, headers }: StoreAnswer): boolean =>
  json === undefined && (/^\s*</.test(text) || (headers.get('content-type') ?? '').includes('text/html'));

/** Longest piece of a store's own words that goes into a message. */
const MAX_WORDS = 1000;

/** A store's words as one text: nothing secret, and not without end. */
export const inWords = (said: readonly string[], max = MAX_WORDS): string => cutText(redactText(said.join(' ')), max);

/** The sentence with a full stop, so that another can follow. */
export const ended = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);
