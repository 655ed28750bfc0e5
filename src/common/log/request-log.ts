import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Asked every few seconds by machines: of use only to whoever debugs them. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line a request, with its id, method, path, status (null when none was answered) and duration in milliseconds; never its query,
 * headers or body. The id is also answered as `X-Request-Id`. Our own instead of pino-http, which costs as much as all the rest of a plain
 * request (bench/README.md).
 */
export const requestLog =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const { method } = request;
    const path = pathOf(request.url);
    (request as { id?: string }).id = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      // Of a caller who has gone before his answer, Express's 200 was never said.
      const status = response.headersSent ? response.statusCode : null;
      const level = status !== null && status >= 500 ? 'error' : QUIET.test(path) ? 'debug' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const ms = Math.round(performance.now() - started);
      logger[level]({ requestId, req: { method, path }, res: { status }, ms }, 'request');
    });
    next();
  };

/** A path without what may follow or, in the form that proxies are asked in, precede it: either may hold a secret. */
const pathOf = (url: string): string => url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
