/**
 * PostgreSQL's codes, by class: connection exception, insufficient resources, operator intervention (a statement cancelled by its time
 * limit, a server that starts or stops), and a transaction rolled back each time it was tried; then a lock that was not to be had in time,
 * a database that takes no connections, and one that is a standby still.
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

/** What pg says without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a statement failed because the database was too busy or could not be reached, so that it may do as well later. */
export function isUnavailable(failure: unknown): boolean {
  const driverError: unknown = (failure as { readonly driverError?: unknown } | null)?.driverError ?? failure;
  if (!(driverError instanceof Error)) return false;
  const { code, syscall } = driverError as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code !== 'string') return MESSAGES.test(driverError.message);
  return CODES.test(code) || (NETWORK.has(code) && (code !== 'ENOENT' || syscall === 'connect'));
}
