import type { Logger } from 'pino';
import type { Observer, RouteTable } from '../http/index.js';

/** Asked every few seconds by machines: of use only to whoever debugs them. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line a request, with its id, method, path, status (null when none was answered) and duration in milliseconds; never its query,
 * headers or body, nor a path at which there is nothing. Our own instead of pino-http, which costs as much as all the rest of a plain
 * request (bench/README.md).
 */
export const requestLog =
  (logger: Logger, routes: RouteTable): Observer =>
  ({ requestId, method, path, status, milliseconds }) => {
    const level = status !== null && status >= 500 ? 'error' : QUIET.test(path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    // What somebody puts into a path of his own may be a code.
    const known = routes.at(path).length > 0 ? path : 'none';
    logger[level](
      { requestId, req: { method, path: known }, res: { status }, ms: Math.round(milliseconds) },
      'request',
    );
  };
