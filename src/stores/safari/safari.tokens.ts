import { SignJWT } from 'jose';
import { secondOf } from '../../common/system/index.js';
import { signWithPem } from '../pem.js';
import type { SafariKey } from './safari.credentials.js';

const AUDIENCE = 'appstoreconnect-v1';
/** Apple refuses tokens from the future, so a clock may be ahead by two minutes. */
const BACKDATED_SECONDS = 150;
/** Long enough for a clock that is behind, and with the backdating below Apple's 20 minutes. */
const VALID_SECONDS = 600;
const UNREADABLE_KEY =
  'The privateKey cannot be read. It must be the whole .p8 file from App Store Connect, a PKCS#8 PEM of a P-256 key.';

/** A token signed with the key, valid for ten minutes (src/stores/README.md#safari-authentication). */
export async function signedToken({ issuerId, keyId, privateKey }: SafariKey, now: Date): Promise<string> {
  const seconds = secondOf(now.getTime());
  const token = new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuedAt(seconds - BACKDATED_SECONDS)
    .setExpirationTime(seconds + VALID_SECONDS)
    .setAudience(AUDIENCE);
  const issued = issuerId === null ? token.setSubject('user') : token.setIssuer(issuerId);
  return signWithPem(issued, privateKey, 'ES256', UNREADABLE_KEY);
}
