import type { Lease, Leases } from '../common/database/index.js';
import { SECOND_MS } from '../common/system/index.js';

const RENEWED_EVERY_MS = 10 * SECOND_MS;

/** Returns what long work calls between its steps: it renews the lease now and then, and throws once another worker has it. */
export function keepLease(leases: Leases, lease: Lease): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    if (performance.now() - renewedAt < RENEWED_EVERY_MS) return;
    renewedAt = performance.now();
    if (!(await leases.renew(lease))) throw new Error('Another worker has taken over');
  };
}
