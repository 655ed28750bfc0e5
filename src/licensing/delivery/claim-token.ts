import { createHash } from 'node:crypto';
import { isOwnClaim, isOwnClaimDigest, ownClaim } from '../../common/fields/pure.js';

/** Length of a claim token in characters: too long to guess, and short enough for every processor's metadata. */
export const CLAIM_TOKEN_MIN = 20;
export const MAX_CLAIM_TOKEN = 200;

/** Makes the digest under which a claim token is stored; that of a digest of our own is itself. Pure. @returns null when the token is too short or too long */
export function claimDigest(token: string): string | null {
  const { length } = Array.from(token);
  if (length < CLAIM_TOKEN_MIN || length > MAX_CLAIM_TOKEN) return null;
  if (isOwnClaimDigest(token)) return token;
  const digest = createHash('sha256').update(token, 'utf8').digest('base64url');
  return isOwnClaim(token) ? ownClaim('digest', digest) : digest;
}
