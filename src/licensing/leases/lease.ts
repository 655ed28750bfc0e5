import { DAY_SECONDS, secondOf } from '../../common/system/index.js';
import type { Reason, TrialReason } from './reason.js';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The facts from which a lease is made. */
export interface LeaseFacts {
  readonly issuer: string;
  readonly extensionId: string;
  readonly licenseId: string | null;
  readonly fingerprintHash: string;
  readonly isActive: boolean;
  readonly reason: Reason | TrialReason;
  readonly tier: string | null;
  /** Features that the device may use. */
  readonly entitlements: readonly string[];
  readonly expiresAt: Date | null;
  /** It counts for versions that were released before; null when it counts for all. */
  readonly updatesUntil: Date | null;
  readonly offlineGraceDays: number;
  readonly nonce: string | null;
  /** It is about a trial; absent for a license. */
  readonly isTrial?: true;
}

/** The claims of a lease; times in seconds. */
export interface LeaseClaims {
  readonly iss: string;
  /** The license's id; absent for an invalid code and a trial. */
  readonly sub?: string;
  readonly ext: string;
  /** base64url(SHA-256(fingerprint)). */
  readonly fph: string;
  readonly act: boolean;
  readonly rsn: Reason | TrialReason;
  readonly tier: string | null;
  /** Features that the device may use; absent for none. */
  readonly ent?: readonly string[];
  /** It counts for versions that were released before; absent when it counts for all. */
  readonly upd?: number;
  readonly iat: number;
  readonly exp: number;
  readonly nonce?: string;
  /** It is about a trial. */
  readonly trial?: true;
}

/**
 * Makes the claims of a lease: the answer, and how long it is valid offline, at most until an active license expires.
 * @param iat when the lease is issued, in seconds
 */
export function leaseClaims(facts: LeaseFacts, iat: number): LeaseClaims {
  const { isActive, expiresAt, licenseId } = facts;
  const grace = iat + facts.offlineGraceDays * DAY_SECONDS;
  const exp = isActive && expiresAt !== null ? Math.min(grace, secondOf(expiresAt.getTime())) : grace;
  const claims: Writable<LeaseClaims> = {
    iss: facts.issuer,
    ext: facts.extensionId,
    fph: facts.fingerprintHash,
    act: isActive,
    rsn: facts.reason,
    tier: facts.tier,
    iat,
    exp,
  };
  if (facts.entitlements.length > 0) claims.ent = facts.entitlements;
  if (isActive && facts.updatesUntil !== null) claims.upd = secondOf(facts.updatesUntil.getTime());
  if (licenseId !== null) claims.sub = licenseId;
  if (facts.nonce !== null) claims.nonce = facts.nonce;
  if (facts.isTrial) claims.trial = true;
  return claims;
}
