import { isRevokedByPayment, type LicenseChange, type Revocation, type LicenseState } from '../licensing/index.js';
import type { Entitlement, PaymentRecord } from './apply-payment.js';
import { paidTimeOf } from './paid-periods.js';

/**
 * What changes on an issued license because its payments have changed. What the tenant did stays: payments do not lift its own suspension or
 * revocation, and move an end that it set only when the paid end moves. Pure.
 * @param revokedAnew why payments revoke it now for which they did not before
 */
export function changeByPayments(
  license: LicenseState & { readonly revokedFor: Revocation | null },
  was: Entitlement,
  is: Entitlement,
  revokedAnew: Entitlement['revokedFor'],
  now: Date,
): LicenseChange {
  const others = license.suspendedFor.filter((cause) => !was.suspendedFor.some((lifted) => lifted === cause));
  const isEndMoved = was.expiresAt?.getTime() !== is.expiresAt?.getTime();
  return {
    ...(isEndMoved ? { expiresAt: is.expiresAt } : {}),
    ...revocationBy(license, was, is, revokedAnew, now),
    ...(was.suspendedFor.join() === is.suspendedFor.join() ? {} : { suspendedFor: [...others, ...is.suspendedFor] }),
  };
}

function revocationBy(
  license: { readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  was: Entitlement,
  is: Entitlement,
  revokedAnew: Entitlement['revokedFor'],
  now: Date,
): LicenseChange {
  if (revokedAnew !== null && license.revokedAt === null) return { revokedAt: now, revokedFor: revokedAnew };
  // What seemed to be sold once turned out to be a subscription, for which a refund ends only one period.
  if (was.revokedFor !== null && is.revokedFor === null && isRevokedByPayment(license))
    return { revokedAt: null, revokedFor: null };
  return {};
}

/**
 * Why a payment for a further period does not bring a license back, as a sentence for its tenant; null when it does. Pure.
 * @param paidAt the processor's time of the payment; null when nothing was paid
 */
export function endedThoughPaid(
  license: { readonly codeHint: string; readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  before: PaymentRecord,
  after: PaymentRecord,
  paidAt: Date | null,
): string | null {
  const [was, is] = [paidTimeOf(before.payments).until, paidTimeOf(after.payments).until];
  if (paidAt === null || is === null || (was !== null && is <= was)) return null;
  const about = `A payment for a further period arrived, but the license …${license.codeHint}`;
  if (license.revokedAt !== null)
    return isRevokedByPayment(license)
      ? `${about} is revoked after a ${license.revokedFor === 'refund' ? 'refund' : 'lost dispute'}. Reinstate the license, or end the subscription and refund the payment.`
      : `${about} was revoked by your team. End the subscription and refund the payment, or issue another license.`;
  const { standing } = after;
  return standing?.value.state === 'over' && paidAt.toISOString() > standing.at
    ? `${about} ended with its subscription. Refund the payment, or set another end for the license.`
    : null;
}
