import type { WorkLock, WorkLocks } from '../../common/database/index.js';
import { SECOND_MS } from '../../common/system/index.js';

const RENEWED_EVERY_MS = 10 * SECOND_MS;

/** Returns a function to call between the steps of long work: it renews the work lock every 10 seconds, and throws when that was lost. */
export function keepLock(locks: WorkLocks, lock: WorkLock): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    if (performance.now() - renewedAt < RENEWED_EVERY_MS) return;
    renewedAt = performance.now();
    if (!(await locks.renew(lock))) throw new Error('Another worker has taken over');
  };
}
