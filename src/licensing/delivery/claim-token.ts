import { createHash } from 'node:crypto';

/** Characters of a claim token: enough for nobody to guess one, and no more than fits every processor's metadata. */
export const CLAIM_TOKEN_MIN = 20;
export const CLAIM_TOKEN_MAX = 200;

/** What a claim token is kept as, which it cannot be made of again; null when it is too short or too long to be one. Pure. */
export function claimDigest(token: string): string | null {
  const { length } = Array.from(token);
  if (length < CLAIM_TOKEN_MIN || length > CLAIM_TOKEN_MAX) return null;
  return createHash('sha256').update(token, 'utf8').digest('base64url');
}
