import type { LicenseChange, Standing } from '../licensing/index.js';
import type { Entitlement } from './apply-payment.js';

/**
 * What of an issued license has to change because payments now say otherwise than before; pure. What the tenant did by hand stays: its
 * own suspension is not among those that payments lift, and an end that it set is moved only when the paid one moves.
 */
export function changeByPayments(license: Standing, was: Entitlement, is: Entitlement, now: Date): LicenseChange {
  const others = license.suspendedFor.filter((cause) => !was.suspendedFor.some((lifted) => lifted === cause));
  const isEndMoved = was.expiresAt?.getTime() !== is.expiresAt?.getTime();
  const isRevoked = license.revokedAt === null && was.revokedFor === null && is.revokedFor !== null;
  return {
    ...(isEndMoved ? { expiresAt: is.expiresAt } : {}),
    ...(isRevoked ? { revokedAt: now } : {}),
    ...(was.suspendedFor.join() === is.suspendedFor.join() ? {} : { suspendedFor: [...others, ...is.suspendedFor] }),
  };
}
