import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const BODY = 'pierhead:body';

/** Kind of a route's body; JSON by default. */
export type BodyKind = 'json' | 'json-or-text' | 'form' | 'own';

/** The route reads the request as a stream. */
export const ReadsOwnBody = (): MethodDecorator => SetMetadata(BODY, 'own' satisfies BodyKind);

/** The route also accepts JSON as `text/plain`, which browsers send without a preflight. */
export const AcceptsJsonAsText = (): MethodDecorator => SetMetadata(BODY, 'json-or-text' satisfies BodyKind);

/** The route's body is an HTML form. */
export const ReadsForm = (): MethodDecorator => SetMetadata(BODY, 'form' satisfies BodyKind);

/** Returns how a route's body is read. */
export const bodyOf = (reflector: Reflector, handler: Parameters<Reflector['get']>[1]): BodyKind =>
  reflector.get<BodyKind | undefined>(BODY, handler) ?? 'json';
