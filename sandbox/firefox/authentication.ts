import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import type { StoreCall } from '../stand-in.js';
import type { Account, Accounts } from './accounts.js';
import { unauthenticated } from './errors.js';

const LONGEST_SECONDS = 300;
const LEEWAY_SECONDS = 5;

/** The issuer in a call's token, not authenticated. */
export function claimedIssuer({ headers }: Pick<StoreCall, 'headers'>): string | undefined {
  const token = tokenIn(headers.authorization);
  const issuer = token === undefined ? undefined : claimsOf(token)?.iss;
  return typeof issuer === 'string' ? issuer : undefined;
}

/** The account whose key signed the call's token. @throws Refusal (src/stores/README.md#firefox-authentication) */
export async function authenticate(
  { headers }: Pick<StoreCall, 'headers'>,
  accounts: Accounts,
  now: Date,
): Promise<Account> {
  const token = tokenIn(headers.authorization);
  if (token === undefined) throw unauthenticated('Authentication credentials were not provided.');
  const claims = claimsOf(token);
  if (!claims) throw unauthenticated('Error decoding signature.');
  if ('orig_iat' in claims) throw unauthenticated('API key based tokens are not refreshable.');
  if (claims.iss === undefined) throw unauthenticated('JWT iss (issuer) claim is missing.');
  const account = accounts.find(claims.iss);
  if (!account || account.isRevoked) throw unauthenticated('Unknown JWT iss (issuer).');
  await assertSigned(token, account);
  assertTimely(claims, now.getTime() / 1000);
  if (account.isDisabled) throw unauthenticated('User account is disabled.');
  if (!account.hasReadAgreement) throw unauthenticated('User has not read developer agreement.');
  return account;
}

const tokenIn = (header: string | undefined): string | undefined => /^JWT (\S+)$/i.exec(header ?? '')?.[1];

function claimsOf(token: string): JWTPayload | null {
  try {
    return decodeJwt(token);
  } catch {
    return null;
  }
}

async function assertSigned(token: string, { secret }: Account): Promise<void> {
  try {
    if (decodeProtectedHeader(token).alg !== 'HS256') throw new Error('another algorithm');
    await compactVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
  } catch {
    throw unauthenticated('Error decoding signature.');
  }
}

function assertTimely({ iat, exp }: JWTPayload, now: number): void {
  for (const [name, value] of Object.entries({ iat, exp })) {
    if (typeof value !== 'number') throw unauthenticated(`Invalid JWT: Token is missing the "${name}" claim.`);
  }
  const [issued, expires] = [iat ?? 0, exp ?? 0];
  if (expires <= now - LEEWAY_SECONDS) throw unauthenticated('Signature has expired.');
  if (issued > now + LEEWAY_SECONDS) {
    throw unauthenticated(
      'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate.',
    );
  }
  if (expires - issued > LONGEST_SECONDS) throw unauthenticated('JWT exp (expiration) is too long.');
}
