/** The form of a claim token that the service makes itself, and of its digest: so that both are known in whatever a processor repeats. */
const TOKEN = 'phc_';
const DIGEST = 'phd_';
const FORM = /^ph[cd]_[\w-]{43}$/;

/** Whether a value is a claim token of the service's own, or the digest of one. */
export const isOwnClaim = (value: unknown): value is string => typeof value === 'string' && FORM.test(value);
/** Whether a claim token of the service's own is already a digest. */
export const isOwnClaimDigest = (value: string): boolean => isOwnClaim(value) && value.startsWith(DIGEST);
/** Writes a claim token of the service's own, or its digest, from 32 bytes in base64url. */
export const ownClaim = (of: 'token' | 'digest', bytes: string): string => `${of === 'token' ? TOKEN : DIGEST}${bytes}`;
/** The bytes of a claim token of the service's own; null for anything else. */
export const bytesOfOwnClaim = (token: string): Buffer | null =>
  isOwnClaim(token) && token.startsWith(TOKEN) ? Buffer.from(token.slice(TOKEN.length), 'base64url') : null;
/** Every such token in a text, wherever it stands. */
export const OWN_CLAIMS = /\bphc_[\w-]{43}/g;
