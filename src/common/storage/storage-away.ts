const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Whether a file could not be stored or read because the disk is full, or the bucket is silent or fails: it may succeed later. */
export function isStorageAway(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { code, $metadata } = failure as { readonly code?: string; readonly $metadata?: { httpStatusCode?: number } };
  return DISK_FULL.has(code ?? '') || failure.name === 'TimeoutError' || ($metadata?.httpStatusCode ?? 0) >= 500;
}
