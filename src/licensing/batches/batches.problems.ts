import { defineProblem } from '../../common/problems/index.js';

export const IdempotencyKeyReused = defineProblem({
  code: 'idempotency_key_reused',
  status: 409,
  title: 'Idempotency key belongs to another request',
  cause: 'Another request with this Idempotency-Key, but another body, has issued licenses already.',
  remedy: 'Send another key with another request.',
});

export const BatchAlreadyIssued = defineProblem(
  {
    code: 'batch_already_issued',
    status: 409,
    title: 'Licenses were issued already',
    cause:
      'A request with this Idempotency-Key has issued its licenses more than a day ago, and its codes are kept no longer.',
    remedy: 'If the codes are lost, revoke the campaign and issue it again with another key.',
  },
  ({ createdAt, count }: { readonly createdAt: Date; readonly count: number }) => ({
    detail: `The ${count} licenses of this Idempotency-Key were issued at ${createdAt.toISOString()}. Their codes are kept no longer.`,
    members: { count, issuedAt: createdAt.toISOString() },
  }),
);
