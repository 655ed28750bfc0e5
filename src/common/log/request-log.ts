import type { Logger } from 'pino';
import type { Observer } from '../http/index.js';

/** Asked every few seconds by machines: of use only to whoever debugs them. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line a request, with its id, method, path, status (null when none was answered) and duration in milliseconds; never its query,
 * headers or body. Our own instead of pino-http, which costs as much as all the rest of a plain request (bench/README.md).
 */
export const requestLog =
  (logger: Logger): Observer =>
  ({ requestId, method, path, status, milliseconds }) => {
    const level = status !== null && status >= 500 ? 'error' : QUIET.test(path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ requestId, req: { method, path }, res: { status }, ms: Math.round(milliseconds) }, 'request');
  };
