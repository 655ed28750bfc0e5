import type { Logger } from 'pino';
import type { Observer, RouteTable } from '../http/index.js';

/** Asked every few seconds by machines: of use only to whoever debugs them. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line a request, with its id, method, path, status (null when none was answered) and duration in milliseconds; never its query,
 * headers or body, and of its path only what the route itself says and UUIDs: a caller may put a code into it. Our own instead of pino-http, which costs as much as all the rest of a plain
 * request (bench/README.md).
 */
export const requestLog =
  (logger: Logger, routes: RouteTable): Observer =>
  ({ requestId, method, path, status, milliseconds }) => {
    const level = status !== null && status >= 500 ? 'error' : QUIET.test(path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const shown = routes.loggable(path) ?? 'none';
    logger[level](
      { requestId, req: { method, path: shown }, res: { status }, ms: Math.round(milliseconds) },
      'request',
    );
  };
