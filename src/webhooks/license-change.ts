import { isRevokedByPayment, type LicenseChange, type Revocation, type LicenseState } from '../licensing/index.js';
import type { Entitlement, PaidLicense } from './apply-payment.js';
import { paidTimeOf } from './paid-periods.js';

/**
 * What of an issued license has to change because payments now say otherwise than before; pure. What the tenant did by hand stays: its
 * own suspension and revocation are not among those that payments lift, and an end that it set is moved only when the paid one moves.
 */
export function changeByPayments(
  license: LicenseState & { readonly revokedFor: Revocation | null },
  was: Entitlement,
  is: Entitlement,
  now: Date,
): LicenseChange {
  const others = license.suspendedFor.filter((cause) => !was.suspendedFor.some((lifted) => lifted === cause));
  const isEndMoved = was.expiresAt?.getTime() !== is.expiresAt?.getTime();
  return {
    ...(isEndMoved ? { expiresAt: is.expiresAt } : {}),
    ...revocationBy(license, was, is, now),
    ...(was.suspendedFor.join() === is.suspendedFor.join() ? {} : { suspendedFor: [...others, ...is.suspendedFor] }),
  };
}

function revocationBy(
  license: { readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  was: Entitlement,
  is: Entitlement,
  now: Date,
): LicenseChange {
  if (was.revokedFor === null && is.revokedFor !== null && license.revokedAt === null)
    return { revokedAt: now, revokedFor: is.revokedFor };
  // What looked like something sold once was a subscription, of which a refund takes back one period.
  if (was.revokedFor !== null && is.revokedFor === null && isRevokedByPayment(license))
    return { revokedAt: null, revokedFor: null };
  return {};
}

/**
 * Why a payment for a further period does not bring a license back, in words for its tenant; null when nothing stands against it. Pure.
 * @param paidAt the processor's time of the payment; null when nothing was paid
 */
export function endedThoughPaid(
  license: { readonly codeHint: string; readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  before: PaidLicense,
  after: PaidLicense,
  paidAt: Date | null,
): string | null {
  const [was, is] = [paidTimeOf(before.payments).until, paidTimeOf(after.payments).until];
  if (paidAt === null || is === null || (was !== null && is <= was)) return null;
  const about = `A payment for a further period came in, but the license …${license.codeHint}`;
  if (license.revokedAt !== null)
    return isRevokedByPayment(license)
      ? `${about} is revoked after a ${license.revokedFor === 'refund' ? 'refund' : 'lost dispute'}. Reinstate the license, or end the subscription and refund the payment.`
      : `${about} was revoked by your team. End the subscription and refund the payment, or issue another license.`;
  const { standing } = after;
  return standing?.value.state === 'over' && paidAt.toISOString() > standing.at
    ? `${about} ended with its subscription. Refund the payment, or set another end for the license.`
    : null;
}
