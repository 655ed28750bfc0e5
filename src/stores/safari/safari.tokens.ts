import { importPKCS8, SignJWT } from 'jose';
import { StoreFailure } from '../store-failure.js';
import type { SafariKey } from './safari.credentials.js';

const AUDIENCE = 'appstoreconnect-v1';
/** Covers a clock that runs ahead by two minutes: Apple refuses a token from the future. */
const BACKDATED_SECONDS = 150;
/** Covers a clock that runs behind as well, and keeps the whole life of a token below Apple's 20 minutes. */
const VALID_SECONDS = 600;

/** A token signed by the key itself, good for some minutes (docs/stores.md#safari-authentication). */
export async function signedToken({ issuerId, keyId, privateKey }: SafariKey, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const token = new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuedAt(seconds - BACKDATED_SECONDS)
    .setExpirationTime(seconds + VALID_SECONDS)
    .setAudience(AUDIENCE);
  try {
    const signing = await importPKCS8(privateKey, 'ES256');
    return await (issuerId === null ? token.setSubject('user') : token.setIssuer(issuerId)).sign(signing);
  } catch {
    // The error is not kept as the cause: it may quote the key.
    throw new StoreFailure(
      'credential',
      'The privateKey cannot be read: it must be the whole .p8 file that App Store Connect made, a PKCS#8 PEM of a P-256 key.',
    );
  }
}
