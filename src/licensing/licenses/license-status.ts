import { expiredFrom, type LicenseEnd } from '../plans/pure.js';

/** Why a license can be suspended. Each reason is lifted on its own. */
export const SUSPENSIONS = ['tenant', 'dispute', 'payment'] as const;
export type Suspension = (typeof SUSPENSIONS)[number];

/** Cause of a revocation: the tenant, finally, or a refund or lost dispute, which the tenant may overrule. */
export const REVOCATIONS = ['tenant', 'refund', 'dispute'] as const;
export type Revocation = (typeof REVOCATIONS)[number];

export const LICENSE_STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** The facts from which a license's status follows. */
export interface LicenseState extends LicenseEnd {
  readonly revokedAt: Date | null;
  readonly suspendedFor: readonly Suspension[];
}

/** A license's status at a moment. A license that is several of these is revoked first, then suspended, then expired. */
export function statusOf(license: LicenseState, now: Date): LicenseStatus {
  if (license.revokedAt !== null) return 'revoked';
  if (license.suspendedFor.length > 0) return 'suspended';
  const from = expiredFrom(license);
  return from !== null && from <= now ? 'expired' : 'active';
}

/** Number of devices that a license allows: its own, or else its plan's. Checks compute the same in SQL (`LOOKUP_COLUMNS`). */
export const devicesAllowed = (own: number | null, ofPlan: number): number => own ?? ofPlan;

/** Features that a license unlocks: of its plan and its own, each once, in the order of their characters. */
export const entitlementsOf = (ofPlanAndOwn: readonly string[]): string[] => [...new Set(ofPlanAndOwn)].toSorted();

/** What changes on a license that gets another plan: also the terms about its end. */
export const planChange = ({
  id: planId,
  graceDays,
  onEnd,
}: Pick<LicenseEnd, 'graceDays' | 'onEnd'> & { readonly id: string }) => ({
  planId,
  graceDays,
  onEnd,
});

/** The reason that is shown for a suspension: the tenant's own first, since only the tenant lifts it. */
export const shownSuspension = ({
  revokedAt,
  suspendedFor,
}: Pick<LicenseState, 'revokedAt' | 'suspendedFor'>): Suspension | null =>
  revokedAt === null ? (SUSPENSIONS.find((cause) => suspendedFor.includes(cause)) ?? null) : null;

/** Whether a refund or a lost dispute, not the tenant, revoked a license. */
export const isRevokedByPayment = ({ revokedFor }: { readonly revokedFor: Revocation | null }): boolean =>
  revokedFor === 'refund' || revokedFor === 'dispute';

/** Actions of a tenant on the status of a license. */
export type StatusAction = 'revoke' | 'suspend' | 'reinstate';

/** Columns that an action changes. */
interface StatusChange {
  readonly revokedAt?: Date | null;
  readonly revokedFor?: Revocation | null;
  readonly suspendedFor?: Suspension[];
}

/**
 * Decides what an action of the tenant changes on a license: the tenant has the last word over payments, but cannot undo a revocation of its
 * own. Pure.
 * @returns `unchanged` when the license has that status already, `refused` when it is revoked
 */
export function changeByTenant(
  license: Pick<LicenseState, 'revokedAt' | 'suspendedFor'> & { readonly revokedFor: Revocation | null },
  action: StatusAction,
  now: Date,
): StatusChange | 'unchanged' | 'refused' {
  const { revokedAt, suspendedFor } = license;
  const isFinal = revokedAt !== null && !isRevokedByPayment(license);
  switch (action) {
    case 'revoke':
      return isFinal ? 'unchanged' : { revokedAt: revokedAt ?? now, revokedFor: 'tenant' };
    case 'suspend':
      if (revokedAt !== null) return 'refused';
      return suspendedFor.includes('tenant') ? 'unchanged' : { suspendedFor: [...suspendedFor, 'tenant'] };
    case 'reinstate':
      if (isFinal) return 'refused';
      return revokedAt === null && suspendedFor.length === 0
        ? 'unchanged'
        : { revokedAt: null, revokedFor: null, suspendedFor: [] };
  }
}
