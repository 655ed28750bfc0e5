import type { Reason } from '../seats/decide.js';

const DAY_MS = 86_400_000;

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
  readonly graceDays: number;
  readonly nonce: string | null;
  readonly now: Date;
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

/** What is signed: the answer, and how long it is good offline, which is never past the end of a license that is active. */
export function leaseClaims(facts: LeaseFacts): LeaseClaims {
  const { isActive, expiresAt, now, nonce, licenseId } = facts;
  const grace = now.getTime() + facts.graceDays * DAY_MS;
  const end = isActive && expiresAt !== null ? Math.min(grace, expiresAt.getTime()) : grace;
  return {
    iss: facts.issuer,
    ...(licenseId === null ? {} : { sub: licenseId }),
    ext: facts.extensionId,
    fph: facts.fingerprintHash,
    act: isActive,
    rsn: facts.reason,
    tier: facts.tier,
    iat: inSeconds(now.getTime()),
    exp: inSeconds(end),
    ...(nonce === null ? {} : { nonce }),
  };
}

const inSeconds = (ms: number): number => Math.floor(ms / 1000);
