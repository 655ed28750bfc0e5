import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, map, type Observable } from 'rxjs';
import { callerOf } from '../../access/index.js';
import { InvalidRequest, Throws } from '../../problems/index.js';
import { HEADER, readIdempotencyKey, TakesIdempotencyKey } from './idempotency.js';
import { IdempotencyKeyTaken, IdempotentAnswerForgotten, IdempotentRequestUnanswered } from './idempotency.problems.js';
import { IdempotentAnswers, type KeyedRequest } from './idempotent-answers.js';

/** Set on routes whose handler asks somebody outside. */
const ASKS_OUTSIDE = 'pierhead:idempotent-outside';

/** Lets a request with an `Idempotency-Key` do its work once, and answers each repetition as the first one. */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly answers: IdempotentAnswers,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const key = readIdempotencyKey(http.getRequest<Request>().get(HEADER));
    if (key === null) return next.handle();
    const keyed = keyedRequest(context, key);
    const how = this.reflector.get<boolean>(ASKS_OUTSIDE, context.getHandler()) ? 'apart' : 'together';
    return defer(() => this.answers[how](keyed, () => lastValueFrom(next.handle()))).pipe(
      map(({ answer, isRepeated }) => {
        if (isRepeated) http.getResponse<Response>().set('Idempotent-Replayed', 'true');
        return isRepeated ? withTime(answer) : answer;
      }),
    );
  }
}

function keyedRequest(context: ExecutionContext, key: string): KeyedRequest {
  const request = context.switchToHttp().getRequest<Request>();
  const { tenantId, actor } = callerOf(context);
  const caller = `${actor.kind}:${'id' in actor ? actor.id : ''}`;
  const route = `${context.getClass().name}.${context.getHandler().name}`;
  return {
    tenantId,
    request: [caller, route, JSON.stringify(request.params), key],
    body: [request.query, bodyOf(request)],
  };
}

/** Of what a route reads by itself only the length is known. */
function bodyOf({ body, headers }: Request): unknown {
  if (body !== undefined) return body as unknown;
  if (headers['transfer-encoding'] !== undefined)
    throw new InvalidRequest([{ field: HEADER, message: 'needs a Content-Length when a file is sent.' }]);
  return headers['content-length'] ?? null;
}

/** An entity tag is made of this time. */
const withTime = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'updatedAt' in answer && typeof answer.updatedAt === 'string'
    ? { ...answer, updatedAt: new Date(answer.updatedAt) }
    : answer;

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
