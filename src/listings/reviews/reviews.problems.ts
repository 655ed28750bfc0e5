import { defineProblem, secondsUntil } from '../../common/problems/index.js';

export const ReviewNotFound = defineProblem({
  code: 'review_not_found',
  status: 404,
  title: 'Review not found',
  cause: 'The tenant has no review with this id, or the store no longer lists it.',
  remedy: 'List the reviews with GET /reviews.',
});

export const ReviewAnswersUnsupported = defineProblem(
  {
    code: 'review_answers_unsupported',
    status: 409,
    title: 'The store takes no answers by its API',
    cause: 'The store takes answers to reviews from people alone, on its website.',
    remedy: 'Open answerUrl, and answer there.',
  },
  (store: string, answerUrl: string) => ({
    detail: `${store} takes no answers to reviews by its API. Answer it at ${answerUrl}.`,
    members: { answerUrl },
  }),
);

export const ReviewAnswerRefused = defineProblem(
  {
    code: 'review_answer_refused',
    status: 422,
    title: 'The store refused the answer',
    cause: 'The store did not take the answer to the review, or it cannot be asked. Nothing was changed.',
    remedy: 'Read the store’s message in detail.',
  },
  (words: string) => `The answer was not changed. ${words}`,
);

export const ReviewAnswerUnconfirmed = defineProblem(
  {
    code: 'review_answer_unconfirmed',
    status: 503,
    title: 'The store did not confirm the answer',
    cause:
      'The store could not be reached, or its reply was lost, so it may have the answer; Pierhead looks within minutes.',
    remedy: 'Send it again after the time in Retry-After. A review has at most one answer, so nothing doubles.',
  },
  (words: string, now: Date, retryAt: Date) => ({
    detail: `The store has not confirmed the answer. ${words}`,
    headers: { 'Retry-After': String(secondsUntil(retryAt, now)) },
  }),
);
