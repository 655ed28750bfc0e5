import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { type Answer, jsonAnswer } from '../answer.js';
import type { StoreCall, Subject } from '../stand-in.js';
import type { Account, Accounts } from './accounts.js';
import { oauthRefusal } from './errors.js';
import { type AccessTokens, type Grant, TOKEN_LIFETIME_SECONDS } from './tokens.js';

/** The scope for the whole of the store's API (src/stores/README.md#chrome-credentials). */
export const WRITE_SCOPE = 'https://www.googleapis.com/auth/chromewebstore';

/** The scope for `fetchStatus` alone (src/stores/README.md#chrome-credentials). */
export const READ_SCOPE = 'https://www.googleapis.com/auth/chromewebstore.readonly';

const AUDIENCE = 'https://oauth2.googleapis.com/token';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LONGEST_ASSERTION_SECONDS = 3600;
const LEEWAY_SECONDS = 60;
const SHORT_LIVED =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. ' +
  'Check your iat and exp values in the JWT claim.';

type TokenForm = Readonly<Record<string, string>>;

/** Google's token endpoint for the two grants that store clients use (src/stores/README.md#chrome-credentials). */
export class TokenEndpoint {
  constructor(
    private readonly accounts: Accounts,
    private readonly tokens: AccessTokens,
  ) {}

  async answer(call: StoreCall, now: Date): Promise<Answer> {
    const form = readForm(call);
    switch (form.grant_type) {
      case JWT_BEARER: {
        const grant = await this.serviceAccountGrant(form, now);
        return jsonAnswer(200, this.tokenBody(grant, now));
      }
      case 'refresh_token': {
        const grant = this.refreshGrant(form);
        return jsonAnswer(200, { ...this.tokenBody(grant, now), scope: grant.scopes.join(' ') });
      }
      default:
        throw oauthRefusal(400, 'unsupported_grant_type', `Invalid grant_type: ${form.grant_type ?? ''}`);
    }
  }

  /** The publisher of the account in a request. It is not authenticated, which is enough to match faults. */
  subject(call: StoreCall): Subject {
    const form = readForm(call);
    const claimed = this.accounts.byClientEmail(unverifiedIssuer(form.assertion ?? ''));
    const account = claimed ?? this.accounts.byClientId(form.client_id ?? '')[0];
    return { publisherId: account?.publisherId };
  }

  private tokenBody(grant: Grant, now: Date): Record<string, unknown> {
    const access_token = this.tokens.issue(grant, now);
    return { access_token, expires_in: TOKEN_LIFETIME_SECONDS, token_type: 'Bearer' };
  }

  private async serviceAccountGrant(form: TokenForm, now: Date): Promise<Grant> {
    const { assertion } = form;
    if (!assertion) throw oauthRefusal(400, 'invalid_request', 'Missing required parameter: assertion');
    const account = this.accounts.byClientEmail(unverifiedIssuer(assertion));
    if (!account || account.deleted) throw oauthRefusal(400, 'invalid_grant', 'Invalid grant: account not found');
    const claims = await verifiedClaims(assertion, account);
    assertTimely(claims, now);
    return { principal: account.clientEmail, scopes: readScopes(claims) };
  }

  private refreshGrant(form: TokenForm): Grant {
    const clients = this.accounts.byClientId(form.client_id ?? '');
    const [client] = clients;
    if (!client) throw oauthRefusal(401, 'invalid_client', 'The OAuth client was not found.');
    if (client.clientDeleted) throw oauthRefusal(401, 'deleted_client', 'The OAuth client was deleted.');
    if ((form.client_secret ?? '') !== client.clientSecret) {
      throw oauthRefusal(401, 'invalid_client', 'The provided client secret is invalid.');
    }
    if (!form.refresh_token) throw oauthRefusal(400, 'invalid_request', 'Missing required parameter: refresh_token');
    const account = clients.find(({ refreshToken }) => refreshToken === form.refresh_token);
    if (!account) throw oauthRefusal(400, 'invalid_grant', 'Bad Request');
    if (account.refreshTokenRevoked) {
      throw oauthRefusal(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    return { principal: account.userEmail, scopes: [WRITE_SCOPE] };
  }
}

/** Only the grant type may be logged; everything else in a token request is or may be a secret. */
export function visibleGrant(call: StoreCall): unknown {
  return { grant_type: readForm(call).grant_type ?? null };
}

/**
 * Reads a form or JSON, by the content type (src/stores/README.md#chrome-credentials); a body that is neither has no fields.
 */
function readForm(call: StoreCall): TokenForm {
  const body = call.body.toString('utf8');
  if (!(call.headers['content-type'] ?? '').includes('json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

function unverifiedIssuer(assertion: string): string {
  try {
    return decodeJwt(assertion).iss ?? '';
  } catch {
    return '';
  }
}

async function verifiedClaims(assertion: string, account: Account): Promise<JWTPayload> {
  try {
    if (!account.publicKey || decodeProtectedHeader(assertion).alg !== 'RS256') throw new Error('no such key');
    await compactVerify(assertion, account.publicKey, { algorithms: ['RS256'] });
  } catch {
    throw oauthRefusal(400, 'invalid_grant', 'Invalid JWT Signature.');
  }
  const claims = decodeJwt(assertion);
  if (claims.aud !== AUDIENCE) {
    throw oauthRefusal(400, 'invalid_grant', `Invalid JWT: Failed audience check. The right audience is ${AUDIENCE}`);
  }
  return claims;
}

/** At most one hour from `iat` to `exp`, and the present time in between (src/stores/README.md#chrome-credentials). */
function assertTimely({ iat, exp }: JWTPayload, now: Date): void {
  const seconds = now.getTime() / 1000;
  const timely =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    exp > iat &&
    exp - iat <= LONGEST_ASSERTION_SECONDS &&
    iat <= seconds + LEEWAY_SECONDS &&
    exp >= seconds - LEEWAY_SECONDS;
  if (!timely) throw oauthRefusal(400, 'invalid_grant', SHORT_LIVED);
}

function readScopes(claims: JWTPayload): string[] {
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ').filter(Boolean) : [];
  if (scopes.length === 0) throw oauthRefusal(400, 'invalid_scope', 'Empty or missing scope not allowed.');
  if (!scopes.includes(WRITE_SCOPE) && !scopes.includes(READ_SCOPE)) {
    throw oauthRefusal(400, 'invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
  }
  return scopes;
}
