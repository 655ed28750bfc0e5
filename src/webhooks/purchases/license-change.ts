import type { LicenseChange } from '../../licensing/index.js';
import { isRevokedByPayment, planChange, type Revocation, type LicenseState } from '../../licensing/pure.js';
import { type Entitlement, overAt, paidTimeOf, type PaymentRecord } from '../ledger/index.js';
import type { LicenseOrder } from './licenses-owed.js';

/**
 * Returns what changes on an issued license because its payments have changed. Payments never lift the tenant's suspension or revocation, and
 * only move an end later that the tenant set. Pure.
 * @param newCause the refund or dispute that is new in these payments; null when there is none
 * @param leewayHours how long the license waits for its renewal where it renews
 */
export function changeByPayments(
  license: LicenseState & { readonly revokedFor: Revocation | null },
  before: Entitlement,
  after: Entitlement,
  newCause: Entitlement['revokedFor'],
  leewayHours: number,
  now: Date,
): LicenseChange {
  const others = license.suspendedFor.filter((cause) => !before.suspendedFor.some((lifted) => lifted === cause));
  const end =
    before.expiresAt?.getTime() === after.expiresAt?.getTime() ? license.expiresAt : paidEnd(license, before, after);
  const renewalLeewayHours = leewayOf(after, end, leewayHours);
  return {
    ...(end?.getTime() === license.expiresAt?.getTime() ? {} : { expiresAt: end }),
    ...(renewalLeewayHours === license.renewalLeewayHours ? {} : { renewalLeewayHours }),
    ...revocationBy(license, before, after, newCause, now),
    ...(before.suspendedFor.join() === after.suspendedFor.join()
      ? {}
      : { suspendedFor: [...others, ...after.suspendedFor] }),
  };
}

/** How long a license that ends at a time waits for its renewal: only for what its payments say, since an end that the tenant set is meant. Pure. */
export const leewayOf = ({ renews, expiresAt }: Entitlement, end: Date | null, leewayHours: number): number | null =>
  renews && end !== null && end.getTime() === expiresAt?.getTime() ? leewayHours : null;

/** When a license ends whose payments say another end. One that the tenant set stays until more is paid for. */
function paidEnd({ expiresAt }: Pick<LicenseState, 'expiresAt'>, before: Entitlement, after: Entitlement): Date | null {
  const isChosen = before.expiresAt !== null && expiresAt?.getTime() !== before.expiresAt.getTime();
  const isLater = expiresAt === null || (after.expiresAt !== null && expiresAt > after.expiresAt);
  return isChosen && isLater ? expiresAt : after.expiresAt;
}

function revocationBy(
  license: { readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  before: Entitlement,
  after: Entitlement,
  newCause: Entitlement['revokedFor'],
  now: Date,
): LicenseChange {
  if (newCause !== null && license.revokedAt === null) return { revokedAt: now, revokedFor: newCause };
  // A one-off purchase turned out to be a subscription, for which a refund ends only one period.
  if (before.revokedFor !== null && after.revokedFor === null && isRevokedByPayment(license))
    return { revokedAt: null, revokedFor: null };
  return {};
}

/**
 * Explains to the tenant why a payment for a further period does not reactivate a license. Pure.
 * @param paidAt the processor's time of the payment; null when nothing was paid
 * @returns null when the payment takes effect, or none arrived
 */
export function whyPaymentHadNoEffect(
  license: { readonly codeHint: string; readonly revokedAt: Date | null; readonly revokedFor: Revocation | null },
  before: PaymentRecord,
  after: PaymentRecord,
  paidAt: Date | null,
): string | null {
  const [paidBefore, paidAfter] = [paidTimeOf(before.payments).until, paidTimeOf(after.payments).until];
  if (paidAt === null || paidAfter === null || (paidBefore !== null && paidAfter <= paidBefore)) return null;
  const about = `A payment for a further period arrived, but the license …${license.codeHint}`;
  if (license.revokedAt !== null)
    return isRevokedByPayment(license)
      ? `${about} is revoked after a ${license.revokedFor === 'refund' ? 'refund' : 'lost dispute'}. Reinstate the license, or end the subscription and refund the payment.`
      : `${about} was revoked by your team. End the subscription and refund the payment, or issue another license.`;
  const endedAt = overAt(after);
  return endedAt !== null && paidAt.toISOString() > endedAt
    ? `${about} ended with its subscription. Refund the payment, or set a new expiry for the license.`
    : null;
}

/** Whether the processor waits for a payment that failed, so that a later end is only how long Pierhead waits too. Pure. */
export const isAwaitingPayment = ({ subscription }: PaymentRecord): boolean => subscription?.value.state === 'past_due';

/** Names what a payment did to a license, for the audit log. Pure. */
export function licenseAction(
  before: Pick<LicenseState, 'revokedAt' | 'suspendedFor'>,
  after: Pick<LicenseState, 'revokedAt' | 'suspendedFor'>,
): 'license.revoked' | 'license.suspended' | 'license.reinstated' | 'license.updated' {
  const [wasRevoked, isRevoked] = [before.revokedAt !== null, after.revokedAt !== null];
  if (wasRevoked !== isRevoked) return isRevoked ? 'license.revoked' : 'license.reinstated';
  const [wasSuspended, isSuspended] = [before.suspendedFor.length > 0, after.suspendedFor.length > 0];
  if (wasSuspended !== isSuspended) return isSuspended ? 'license.suspended' : 'license.reinstated';
  return 'license.updated';
}

/** Null for the plan's own number; set when more were bought. */
export const seatsOf = ({ plan, units }: LicenseOrder): number | null =>
  units === 1 ? null : units * plan.maxActivations;

/** The plan and seats of a license, where the purchase has changed: a plan that the tenant gave the license stays until then. */
export function changeByOrder(
  row: { readonly planId: string | null; readonly units: number },
  owed: LicenseOrder | null,
): LicenseChange {
  if (owed === null) return {};
  const isMoved = owed.plan.id !== row.planId;
  const isResized = owed.units !== row.units || (isMoved && owed.units > 1);
  return {
    ...(isMoved ? planChange(owed.plan) : {}),
    ...(isResized ? { maxActivations: seatsOf(owed) } : {}),
  };
}

/** The entitlement of a license that the purchase stopped including at a time. */
export function endedBy(entitlement: Entitlement, endedAt: Date | null): Entitlement {
  if (endedAt === null) return entitlement;
  const { expiresAt } = entitlement;
  return { ...entitlement, renews: false, expiresAt: expiresAt !== null && expiresAt < endedAt ? expiresAt : endedAt };
}
