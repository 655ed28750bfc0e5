import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../access/index.js';
import { pathOf } from './path-of.js';

/** A finished request. */
export interface FinishedRequest {
  readonly requestId: string;
  /** Of the caller, where the route authenticates one. */
  readonly tenantId: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Of the answer; null when none was sent because the caller had disconnected. */
  readonly status: number | null;
  readonly milliseconds: number;
}

/** Called for every request once it has finished. */
export type Observer = (request: FinishedRequest) => void;

/** Emitted by a response that continues for as long as the client listens. */
const ANSWERED = 'pierhead:answered';

/** Counts a request as finished although its answer continues: how long a client listens is not how long the service took. */
export const countAsAnswered = (response: Response): void => void response.emit(ANSWERED);

const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request an id, sends it as `X-Request-Id`, and calls observers when the request has finished. */
export const observed =
  (observers: readonly Observer[]): RequestHandler =>
  (request: Request & { id?: string }, response, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    request.id = requestId;
    response.setHeader(REQUEST_ID_HEADER, requestId);
    const finish = (): void => {
      response.off('close', finish).off(ANSWERED, finish);
      // The status of a response is 200 before anything has been answered.
      const status = response.headersSent ? response.statusCode : null;
      const milliseconds = performance.now() - began;
      const tenantId = (request.user as Caller | undefined)?.tenantId;
      const finished = { requestId, tenantId, method: request.method, path: pathOf(request), status, milliseconds };
      for (const observe of observers) observe(finished);
    };
    response.once('close', finish).once(ANSWERED, finish);
    next();
  };
