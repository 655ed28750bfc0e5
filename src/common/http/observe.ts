import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
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

const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request an id, answers it as `X-Request-Id`, and has observers told when the request is over. */
export const observed =
  (observers: readonly Observer[]): RequestHandler =>
  (request: Request & { id?: string }, response, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    request.id = requestId;
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.once('close', () => {
      // The status of a response is 200 before anything has been answered.
      const status = response.headersSent ? response.statusCode : null;
      const milliseconds = performance.now() - began;
      const over = { requestId, method: request.method, path: pathOf(request), status, milliseconds };
      for (const tell of observers) tell(over);
    });
    next();
  };
