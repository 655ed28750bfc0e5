import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { PreconditionFailed, Throws } from '../../problems/index.js';
import { entityTagOf, Precondition } from './precondition.js';

const SENDS_TAGS = 'pierhead:sends-entity-tags';

/** Sends the entity tag of each resource that a controller answers with. */
class EntityTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    // The tag covers only what people set. What Pierhead observes changes without it, so an answer must be neither 304 nor from a cache.
    delete http.getRequest<Request>().headers['if-none-match'];
    return next.handle().pipe(
      tap((answer) => {
        if (isTagged(answer))
          http.getResponse<Response>().set({ ETag: entityTagOf(answer), 'Cache-Control': 'no-store' });
      }),
    );
  }
}

const isTagged = (answer: unknown): answer is { readonly updatedAt: Date } =>
  typeof answer === 'object' && answer !== null && 'updatedAt' in answer && answer.updatedAt instanceof Date;

/** Sends an `ETag` with each resource that the controller's routes answer with. */
export const SendsEntityTags = (): ClassDecorator =>
  applyDecorators(SetMetadata(SENDS_TAGS, true), UseInterceptors(new EntityTagInterceptor()));

/** Whether a controller has `@SendsEntityTags()`. */
export const sendsEntityTags = (reflector: Reflector, controller: Parameters<Reflector['get']>[1]): boolean =>
  reflector.get<boolean | undefined>(SENDS_TAGS, controller) ?? false;

/** Declares that a route takes `If-Match`; the handler injects it with `@IfMatch()`. */
export const Conditional = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the resource as you know it, which is its `updatedAt` in double quotes; or several, or `*`. When it has changed since, the answer is 412 and nothing changes.',
      example: '"2026-05-04T09:30:00.000Z"',
    }),
    Throws(PreconditionFailed),
  );

/** Injects what the request expects of the resource. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition =>
  Precondition.ifMatch(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
