import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { pathOf } from './path-of.js';

/** A request that is over. */
export interface Over {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Of the answer; null when none was given, as to a caller who has gone before. */
  readonly status: number | null;
  readonly milliseconds: number;
}

/** Is told of every request once it is over. */
export type Observer = (over: Over) => void;

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives a request its id, and has observers told when it is over. @returns the id */
export function observe(
  request: Request & { id?: string },
  response: Response,
  observers: readonly Observer[],
): string {
  const began = performance.now();
  const requestId = randomUUID();
  request.id = requestId;
  response.once('close', () => {
    // The status of a response is 200 before anything has been answered.
    const status = response.headersSent ? response.statusCode : null;
    const milliseconds = performance.now() - began;
    const over = { requestId, method: request.method, path: pathOf(request), status, milliseconds };
    for (const tell of observers) tell(over);
  });
  return requestId;
}

/** Observes every request, and answers its id as `X-Request-Id`. */
export const observed =
  (observers: readonly Observer[]): RequestHandler =>
  (request, response, next) => {
    response.setHeader(REQUEST_ID_HEADER, observe(request, response, observers));
    next();
  };
