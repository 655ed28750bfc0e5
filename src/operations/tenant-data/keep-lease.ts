import type { Lease, Leases } from '../../common/database/index.js';
import { SECOND_MS } from '../../common/system/index.js';

const RENEWED_EVERY_MS = 10 * SECOND_MS;

/** Returns a function to call between the steps of long work: it renews the lease every 10 seconds, and throws when the lease was lost. */
export function keepLease(leases: Leases, lease: Lease): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    if (performance.now() - renewedAt < RENEWED_EVERY_MS) return;
    renewedAt = performance.now();
    if (!(await leases.renew(lease))) throw new Error('Another worker has taken over');
  };
}
