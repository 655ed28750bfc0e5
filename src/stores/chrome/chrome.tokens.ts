import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { MINUTE_MS, SECOND_MS, secondOf } from '../../common/system/index.js';
import { asNumber, asRecord, asText, type HttpClient } from '../../common/net/index.js';
import { signWithPem } from '../pem.js';
import type { ChromeKey } from './chrome.credentials.js';
import { tokenFailure } from './chrome.token-errors.js';

/** Google expects its own address as the audience, whatever URL this process uses. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/chromewebstore';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google's limit on `exp - iat` (src/stores/README.md#chrome-credentials). */
const ASSERTION_SECONDS = 3600;
/** Google accepts assertions from a clock that is ahead by up to this much. */
const BACKDATED_SECONDS = 60;
const RENEW_BEFORE_EXPIRY_MS = MINUTE_MS;
const MAX_TOKENS = 1000;
const UNREADABLE_KEY =
  "The service account's private_key cannot be read. It must be the whole PKCS#8 PEM of an RSA key of at least 2048 bits, as in Google's JSON key file.";

interface AccessToken {
  readonly value: string;
  /** When Pierhead stops using it, in milliseconds: a minute before it expires. */
  readonly until: number;
}

/** Exchanges credentials for access tokens, and caches these until shortly before they expire. */
export class ChromeTokens {
  private readonly cache = new Map<string, AccessToken>();
  private readonly exchanges = new Map<string, Promise<string>>();

  constructor(
    private readonly tokenUrl: string,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {}

  /** The cached token, or a new one. */
  async get(key: ChromeKey): Promise<string> {
    const cached = this.cache.get(cacheKeyOf(key));
    return cached !== undefined && cached.until > this.clock.now().getTime() ? cached.value : this.exchange(key);
  }

  /** A new token, which proves that the credential works. Concurrent calls share one exchange. */
  async exchange(key: ChromeKey): Promise<string> {
    const name = cacheKeyOf(key);
    const exchange = this.exchanges.get(name) ?? this.request(key, name).finally(() => this.exchanges.delete(name));
    this.exchanges.set(name, exchange);
    return exchange;
  }

  /** Removes a token that the API refused, unless a newer one has replaced it. */
  invalidate(key: ChromeKey, token: string): void {
    const name = cacheKeyOf(key);
    if (this.cache.get(name)?.value === token) this.cache.delete(name);
  }

  private async request(key: ChromeKey, name: string): Promise<string> {
    const now = this.clock.now();
    const form = key.form === 'service_account' ? await assertionOf(key, now) : refreshOf(key);
    const answer = await this.http.request({
      method: 'POST',
      url: this.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    const body = answer.status === 200 ? asRecord(answer.json) : undefined;
    const token = asText(body?.['access_token']);
    // A header cannot carry line breaks or characters beyond ASCII.
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw tokenFailure(answer, key.form, now);
    const seconds = asNumber(body?.['expires_in']) ?? 0;
    this.store(name, { value: token, until: now.getTime() + seconds * SECOND_MS - RENEW_BEFORE_EXPIRY_MS }, now);
    return token;
  }

  private store(name: string, token: AccessToken, now: Date): void {
    this.cache.delete(name);
    for (const [other, { until }] of this.cache) if (until <= now.getTime()) this.cache.delete(other);
    const [oldest] = this.cache.keys();
    if (oldest !== undefined && this.cache.size >= MAX_TOKENS) this.cache.delete(oldest);
    this.cache.set(name, token);
  }
}

/** Identifies a credential in memory without its secret. */
function cacheKeyOf(key: ChromeKey): string {
  const parts =
    key.form === 'service_account'
      ? [key.form, key.email, key.privateKey]
      : [key.form, key.clientId, key.clientSecret, key.refreshToken];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function refreshOf(key: ChromeKey & { form: 'refresh_token' }): Record<string, string> {
  const { clientId, clientSecret, refreshToken } = key;
  return { grant_type: 'refresh_token', client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken };
}

/** The self-signed assertion of a service account (src/stores/README.md#chrome-credentials). */
async function assertionOf(key: ChromeKey & { form: 'service_account' }, now: Date): Promise<Record<string, string>> {
  const issued = secondOf(now.getTime()) - BACKDATED_SECONDS;
  const token = new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(key.email)
    .setAudience(AUDIENCE)
    .setIssuedAt(issued)
    .setExpirationTime(issued + ASSERTION_SECONDS);
  return { grant_type: JWT_BEARER, assertion: await signWithPem(token, key.privateKey, 'RS256', UNREADABLE_KEY) };
}
