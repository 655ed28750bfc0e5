import type { Reason } from '../seats/decide.js';

const DAY_SECONDS = 86_400;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a lease is made from. */
export interface LeaseFacts {
  readonly issuer: string;
  readonly extensionId: string;
  readonly licenseId: string | null;
  readonly fingerprintHash: string;
  readonly isActive: boolean;
  readonly reason: Reason;
  readonly tier: string | null;
  readonly expiresAt: Date | null;
  readonly offlineGraceDays: number;
  readonly nonce: string | null;
}

/** The claims of a lease (facts B5); times in seconds. */
export interface LeaseClaims {
  readonly iss: string;
  /** The license; absent when the code is none. */
  readonly sub?: string;
  readonly ext: string;
  /** base64url(SHA-256(fingerprint)). */
  readonly fph: string;
  readonly act: boolean;
  readonly rsn: Reason;
  readonly tier: string | null;
  readonly iat: number;
  readonly exp: number;
  readonly nonce?: string;
}

/**
 * What is signed: the answer, and how long it is good offline, which is never past the end of a license that is active.
 * @param iat when it is issued, in seconds
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
  if (licenseId !== null) claims.sub = licenseId;
  if (facts.nonce !== null) claims.nonce = facts.nonce;
  return claims;
}

/** The second that a moment is in. */
export const secondOf = (ms: number): number => Math.floor(ms / 1000);
