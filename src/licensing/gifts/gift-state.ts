import { MINUTE_MS } from '../../common/system/index.js';
import { type LicenseState, statusOf } from '../licenses/pure.js';

/** For how long the browser that used a link may see the code again: its first answer may have been lost. */
export const SHOWN_AGAIN_MS = 15 * MINUTE_MS;

/** The facts of a link. */
export interface GiftFacts {
  readonly expiresAt: Date | null;
  readonly redeemedAt: Date | null;
  readonly browserDigest: string | null;
}

/** `open`: it gives the code. `again`: it shows the code again. Otherwise why it does neither. */
export type GiftState = 'open' | 'again' | 'used' | 'ended' | 'suspended' | 'revoked';

/** Says what a link does for a browser now. @param browserDigest null for a browser without a secret */
export function giftState(gift: GiftFacts, license: LicenseState, browserDigest: string | null, now: Date): GiftState {
  const status = statusOf(license, now);
  if (status === 'revoked') return 'revoked';
  if (gift.redeemedAt !== null) {
    const isSame = browserDigest !== null && browserDigest === gift.browserDigest;
    return isSame && now.getTime() < gift.redeemedAt.getTime() + SHOWN_AGAIN_MS ? 'again' : 'used';
  }
  if (status === 'expired' || (gift.expiresAt !== null && gift.expiresAt <= now)) return 'ended';
  return status === 'suspended' ? 'suspended' : 'open';
}
