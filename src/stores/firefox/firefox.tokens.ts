import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { secondOf } from '../../common/system/index.js';
import type { FirefoxCredentials } from './firefox.credentials.js';

/** AMO's limit on `exp - iat`, in seconds (src/stores/README.md#firefox-authentication). */
export const LIFETIME_SECONDS = 300;

/**
 * A token for one request, valid for 300 seconds from `from`. Both claims come from one reading of the clock: two readings can be a second
 * apart, and AMO refuses 301 seconds.
 */
export async function tokenFor({ issuer, secret }: FirefoxCredentials, from: Date): Promise<string> {
  const iat = secondOf(from.getTime());
  return new SignJWT({ iss: issuer, jti: randomUUID(), iat, exp: iat + LIFETIME_SECONDS })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
}
