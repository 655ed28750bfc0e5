import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const BODY = 'pierhead:body';

/** What a route's body is: JSON, unless the route says otherwise. */
export type BodyKind = 'json' | 'json-or-text' | 'form' | 'own';

/** The route reads the request itself, as a stream. */
export const ReadsOwnBody = (): MethodDecorator => SetMetadata(BODY, 'own' satisfies BodyKind);

/** The route's JSON may also call itself `text/plain`, which spares browsers the preflight. */
export const AcceptsJsonAsText = (): MethodDecorator => SetMetadata(BODY, 'json-or-text' satisfies BodyKind);

/** The route's body is what an HTML form sends. */
export const ReadsForm = (): MethodDecorator => SetMetadata(BODY, 'form' satisfies BodyKind);

export const bodyOf = (reflector: Reflector, handler: Parameters<Reflector['get']>[1]): BodyKind =>
  reflector.get<BodyKind | undefined>(BODY, handler) ?? 'json';
