/** Why a license can be suspended. Each cause lifts only its own. */
export const SUSPENSIONS = ['tenant', 'dispute', 'payment'] as const;
export type Suspension = (typeof SUSPENSIONS)[number];

/** Who or what revoked a license: its tenant, for good, or a payment that was taken back, which the tenant may overrule. */
export const REVOCATIONS = ['tenant', 'refund', 'dispute'] as const;
export type Revocation = (typeof REVOCATIONS)[number];

export const LICENSE_STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** What the standing of a license follows from. */
export interface LicenseState {
  readonly revokedAt: Date | null;
  readonly suspendedFor: readonly Suspension[];
  /** The first moment at which it is no longer good; null never. */
  readonly expiresAt: Date | null;
}

/** How a license stands at a moment: revoked before suspended before expired before active. */
export function statusOf({ revokedAt, suspendedFor, expiresAt }: LicenseState, now: Date): LicenseStatus {
  if (revokedAt !== null) return 'revoked';
  if (suspendedFor.length > 0) return 'suspended';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The cause that is shown of those that suspend a license: the tenant's own act first, since only the tenant undoes it. */
export const shownSuspension = ({ revokedAt, suspendedFor }: LicenseState): Suspension | null =>
  revokedAt === null ? (SUSPENSIONS.find((cause) => suspendedFor.includes(cause)) ?? null) : null;

/** Whether a refund or a lost dispute revoked it, and not its tenant. */
export const isRevokedByPayment = ({ revokedFor }: { readonly revokedFor: Revocation | null }): boolean =>
  revokedFor === 'refund' || revokedFor === 'dispute';
