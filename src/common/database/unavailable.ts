import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/**
 * PostgreSQL's codes, by class: connection exception, repeated rollback, insufficient resources, operator intervention (a statement timeout,
 * a server that starts or stops); then a lock timeout, a database that accepts no connections, and a standby.
 */
const CODES = /^(08|40|53|57)|^(55P03|55000|25006)$/;

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Errors of pg that have no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** TypeORM releases a connection that was lost between two statements of a transaction; the next statement then throws one of these. */
const RELEASED = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/** Whether a statement failed because the database was busy or unreachable, and may succeed later. */
export function isUnavailable(failure: unknown): boolean {
  if (RELEASED.some((kind) => failure instanceof kind)) return true;
  const driverError: unknown = (failure as { readonly driverError?: unknown } | null)?.driverError ?? failure;
  if (!(driverError instanceof Error)) return false;
  const { code, syscall } = driverError as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code !== 'string') return MESSAGES.test(driverError.message);
  return CODES.test(code) || (NETWORK.has(code) && (code !== 'ENOENT' || syscall === 'connect'));
}
