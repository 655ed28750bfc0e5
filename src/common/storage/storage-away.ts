/** Codes of the system and PostgreSQL's `disk_full`. */
const DISK_FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

/** Whether the disk of this machine or of the database has no room left. */
export function isDiskFull(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { code, driverError } = failure as { readonly code?: unknown; readonly driverError?: unknown };
  return DISK_FULL.has(code) || (driverError !== failure && isDiskFull(driverError));
}

/** Whether a file could not be stored or read because the disk is full, or the bucket is silent or fails: it may succeed later. */
export function isStorageAway(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { $metadata } = failure as { readonly $metadata?: { httpStatusCode?: number } };
  return isDiskFull(failure) || failure.name === 'TimeoutError' || ($metadata?.httpStatusCode ?? 0) >= 500;
}
