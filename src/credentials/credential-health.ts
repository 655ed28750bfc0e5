import { DAY_MS } from '../common/system/index.js';

export const CREDENTIAL_STATES = ['ok', 'unproven', 'expires_soon', 'expired', 'refused'] as const;

/** Whether a credential works, as far as that is known. */
export interface CredentialHealthState {
  readonly state: (typeof CREDENTIAL_STATES)[number];
  /** When the store refused it first, when it expires or has expired, or when the store last accepted it or its key. */
  readonly at: Date;
}

/** As long before as the first mail warns of it. */
const SOON_MS = 14 * DAY_MS;

/** The health of a credential, worst first. Pure. */
export function healthOf(
  {
    refusedAt,
    expiresAt,
    verifiedAt,
    accountProven,
  }: {
    readonly refusedAt: Date | null;
    readonly expiresAt: Date | null;
    readonly verifiedAt: Date;
    readonly accountProven: boolean;
  },
  now: Date,
): CredentialHealthState {
  if (refusedAt !== null) return { state: 'refused', at: refusedAt };
  if (expiresAt === null || expiresAt.getTime() - now.getTime() >= SOON_MS)
    return { state: accountProven ? 'ok' : 'unproven', at: verifiedAt };
  return { state: expiresAt <= now ? 'expired' : 'expires_soon', at: expiresAt };
}
