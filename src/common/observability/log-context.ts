import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';

/** What all log lines of a request, or of one piece of background work, carry. */
export interface LogContext {
  requestId?: string;
  tenantId?: string;
  extensionId?: string;
  targetId?: string;
}

const current = new AsyncLocalStorage<LogContext>();

/** Returns the fields of the current request or work. */
export const logContext = (): LogContext => ({ ...current.getStore() });

/** Runs work whose log lines carry these fields, in addition to those of the work that it is part of. */
export const withLogContext = <Result>(fields: LogContext, work: () => Result): Result =>
  current.run({ ...current.getStore(), ...fields }, work);

/** Runs work whose log lines carry nothing of the work that started it. */
export const withoutLogContext = <Result>(work: () => Result): Result => current.run({}, work);

/** Adds fields to the log lines of the current request or work, once they are known. */
export function addToLogContext(fields: LogContext): void {
  Object.assign(current.getStore() ?? {}, fields);
}

/** Middleware that has all log lines of a request carry its id. */
export const logRequestId: RequestHandler = (
  request: Parameters<RequestHandler>[0] & { id?: string },
  _response,
  next,
) => withLogContext(request.id === undefined ? {} : { requestId: request.id }, next);
