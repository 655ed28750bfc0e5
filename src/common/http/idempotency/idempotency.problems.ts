import { defineProblem } from '../../problems/index.js';

export const IdempotencyKeyTaken = defineProblem({
  code: 'idempotency_key_taken',
  status: 422,
  title: 'Idempotency key belongs to another request',
  cause: 'A request with this Idempotency-Key, but another body, was answered within the last day.',
  remedy: 'Send another key with another request.',
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
  () => ({
    detail: 'A request with this Idempotency-Key still runs, or the process that ran it has ended.',
    headers: { 'Retry-After': '5' },
  }),
);
