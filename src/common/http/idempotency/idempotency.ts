import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { InvalidRequest } from '../../problems/index.js';

export const HEADER = 'Idempotency-Key';
const FORM = /^[\x21-\x7e]{1,255}$/;

/** Declares that a route takes `Idempotency-Key`. */
export const TakesIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: HEADER,
      required: false,
      description:
        'Text of your choice, such as a UUID, by which a repeated request is recognized: it does nothing again, and gets the same answer for a day.',
      example: '7f6c1f0e-0c5e-4a53-9d0a-6a1d2f1c7f55',
    }),
  );

/** Reads the key of a request; null without one. Pure. @throws InvalidRequest */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!FORM.test(header))
    throw new InvalidRequest([{ field: HEADER, message: 'must be 1 to 255 visible ASCII characters.' }]);
  return header;
}

/** Injects the key of a request on a route that remembers it by itself; null without one. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  readIdempotencyKey(context.switchToHttp().getRequest<Request>().get(HEADER)),
);
