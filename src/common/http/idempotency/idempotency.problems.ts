import { defineProblem } from '../../problems/index.js';

export const IdempotencyKeyTaken = defineProblem({
  code: 'idempotency_key_taken',
  status: 422,
  title: 'Idempotency key belongs to another request',
  cause: 'A request with this Idempotency-Key, but another body, was answered within the last day.',
  remedy: 'Send another key with another request.',
});

export const IdempotentAnswerForgotten = defineProblem({
  code: 'idempotent_answer_forgotten',
  status: 409,
  title: 'The answer is kept no longer',
  cause: 'A request with this Idempotency-Key was done. Its answer was forgotten, since a buyer was erased meanwhile.',
  remedy: 'Find what it made in the list, and send another key to make more.',
});

export const IdempotentRequestUnanswered = defineProblem(
  {
    code: 'idempotent_request_unanswered',
    status: 409,
    title: 'The first request has no answer yet',
    cause: 'A request with this Idempotency-Key still runs, or the process that ran it has ended.',
    remedy:
      'Retry after the time in Retry-After. After a minute, look whether it was done, and send another key if not.',
  },
  (isRunning: boolean) =>
    isRunning
      ? { detail: 'A request with this Idempotency-Key still runs.', headers: { 'Retry-After': '5' } }
      : {
          detail:
            'The process that ran the first request with this Idempotency-Key has ended. Look whether it was done, and send another key if not.',
        },
);
