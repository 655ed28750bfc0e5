import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { asNumber, asRecord, asText, type HttpClient } from '../../common/net/index.js';
import { StoreFailure } from '../store-failure.js';
import type { ChromeKey } from './chrome.credentials.js';
import { tokenFailure } from './chrome.token-errors.js';

/** Google checks the audience by its own name, whatever address this process reaches it under. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/chromewebstore';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google's limit on `exp - iat` (docs/stores.md#chrome-credentials). */
const ASSERTION_SECONDS = 3600;
/** A clock that runs ahead by less than this still signs assertions that Google takes. */
const BACKDATED_SECONDS = 60;
const EARLY_MS = 60_000;
const MAX_TOKENS = 1000;

interface AccessToken {
  readonly value: string;
  /** When it is no longer used, a minute before Google stops taking it. */
  readonly until: number;
}

/** Access tokens, exchanged for credentials and kept until shortly before they lapse. */
export class ChromeTokens {
  private readonly kept = new Map<string, AccessToken>();
  private readonly underWay = new Map<string, Promise<string>>();

  constructor(
    private readonly tokenUrl: string,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {}

  /** A token that should work: the kept one, or a new one. */
  async get(key: ChromeKey): Promise<string> {
    const kept = this.kept.get(nameOf(key));
    return kept !== undefined && kept.until > this.clock.now().getTime() ? kept.value : this.exchange(key);
  }

  /** A token that Google issued just now, which proves the credential; requests made meanwhile share it. */
  async exchange(key: ChromeKey): Promise<string> {
    const name = nameOf(key);
    const underWay = this.underWay.get(name) ?? this.ask(key, name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, underWay);
    return underWay;
  }

  /** Forgets a token that the API refused, unless a newer one has taken its place. */
  drop(key: ChromeKey, token: string): void {
    const name = nameOf(key);
    if (this.kept.get(name)?.value === token) this.kept.delete(name);
  }

  private async ask(key: ChromeKey, name: string): Promise<string> {
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
    // A token with a line break or a letter beyond ASCII could not be sent in a header.
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw tokenFailure(answer, key.form, now);
    const seconds = asNumber(body?.['expires_in']) ?? 0;
    this.keep(name, { value: token, until: now.getTime() + seconds * 1000 - EARLY_MS }, now);
    return token;
  }

  private keep(name: string, token: AccessToken, now: Date): void {
    this.kept.delete(name);
    for (const [other, { until }] of this.kept) if (until <= now.getTime()) this.kept.delete(other);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= MAX_TOKENS) this.kept.delete(oldest);
    this.kept.set(name, token);
  }
}

/** Names a credential in memory without holding its secret. */
function nameOf(key: ChromeKey): string {
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

/** The self-signed assertion of a service account (docs/stores.md#chrome-credentials). */
async function assertionOf(key: ChromeKey & { form: 'service_account' }, now: Date): Promise<Record<string, string>> {
  const issued = Math.floor(now.getTime() / 1000) - BACKDATED_SECONDS;
  try {
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(key.email)
      .setAudience(AUDIENCE)
      .setIssuedAt(issued)
      .setExpirationTime(issued + ASSERTION_SECONDS)
      .sign(await importPKCS8(key.privateKey, 'RS256'));
    return { grant_type: JWT_BEARER, assertion };
  } catch {
    // The error is not kept as the cause: it may quote the key.
    throw new StoreFailure(
      'credential',
      "The service account's private_key cannot be read: it must be the whole PKCS#8 PEM of an RSA key of at least 2048 bits, as in Google's JSON key file.",
    );
  }
}
