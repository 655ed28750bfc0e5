import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { Throws } from '../../problems/index.js';
import { ASKS_OUTSIDE, IdempotencyInterceptor } from './idempotency.interceptor.js';
import { TakesIdempotencyKey } from './idempotency.js';
import { IdempotencyKeyTaken, IdempotentAnswerForgotten, IdempotentRequestUnanswered } from './idempotency.problems.js';

/**
 * Lets a route that makes something take `Idempotency-Key`. Its work runs in one transaction with the answer that is kept.
 * @param asksOutside whether the handler sends a request to the outside, which must not happen in a transaction
 */
export const Idempotent = ({ asksOutside = false } = {}): MethodDecorator =>
  applyDecorators(
    TakesIdempotencyKey(),
    SetMetadata(ASKS_OUTSIDE, asksOutside),
    UseInterceptors(IdempotencyInterceptor),
    Throws(IdempotencyKeyTaken, IdempotentAnswerForgotten, ...(asksOutside ? [IdempotentRequestUnanswered] : [])),
  );
