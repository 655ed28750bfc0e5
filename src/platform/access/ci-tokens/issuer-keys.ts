import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Clock, HOUR_MS, SECOND_MS } from '../../../common/system/index.js';
import { asRecord, asText, HttpClient, HttpFailure, withoutTrailingSlashes } from '../../../common/net/index.js';
import { CiIssuerUnreachable } from './ci-tokens.problems.js';

/** Time after which keys are read again: a withdrawn key is refused after this time at the latest. */
const FRESH_MS = HOUR_MS;
/** The shortest time between two reads of an issuer's keys, however many tokens name unknown ones. */
const PAUSE_MS = 30 * SECOND_MS;
const TIMEOUT_MS = 3 * SECOND_MS;
const MAX_BYTES = 256 * 1024;

/** State of an issuer. */
interface IssuerState {
  readonly keys: JWTVerifyGetKey | null;
  readonly readAt: number;
  /** When they were last requested, with or without success. */
  readonly triedAt: number;
}

const NO_KEYS: IssuerState = { keys: null, readAt: -Infinity, triedAt: -Infinity };

/** The public keys of CI services, found through OpenID Connect Discovery. */
@Injectable()
export class IssuerKeys {
  private readonly issuers = new Map<string, IssuerState>();
  private readonly reading = new Map<string, Promise<JWTVerifyGetKey>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Returns a function that finds the key of a token. A key that is unknown is looked for at the issuer.
   * @param issuer one that the operator accepts, since it is called
   * @throws CiIssuerUnreachable when there are no fresh keys
   */
  async of(issuer: string): Promise<JWTVerifyGetKey> {
    const { keys, readAt } = this.keysOf(issuer);
    const fresh = keys !== null && this.now - readAt < FRESH_MS ? keys : await this.read(issuer);
    return async (header, token) => {
      try {
        return await fresh(header, token);
      } catch (error) {
        const wasJustRead = this.isPaused(issuer) && !this.reading.has(issuer);
        if (!(error instanceof errors.JWKSNoMatchingKey) || wasJustRead) throw error;
        return (await this.read(issuer))(header, token);
      }
    };
  }

  /** Reads an issuer's keys; simultaneous calls share one read. */
  private read(issuer: string): Promise<JWTVerifyGetKey> {
    const running = this.reading.get(issuer);
    if (running !== undefined) return running;
    if (this.isPaused(issuer)) return Promise.reject(unreachable(issuer));
    const started = this.readOnce(issuer).finally(() => this.reading.delete(issuer));
    this.reading.set(issuer, started);
    return started;
  }

  private async readOnce(issuer: string): Promise<JWTVerifyGetKey> {
    const { now } = this;
    this.issuers.set(issuer, { ...this.keysOf(issuer), triedAt: now });
    const keys = await discover(issuer).catch((failure: unknown) => {
      throw failure instanceof HttpFailure || failure instanceof errors.JOSEError
        ? unreachable(issuer, failure)
        : failure;
    });
    this.issuers.set(issuer, { keys, readAt: now, triedAt: now });
    return keys;
  }

  private isPaused(issuer: string): boolean {
    return this.now - this.keysOf(issuer).triedAt < PAUSE_MS;
  }

  private keysOf(issuer: string): IssuerState {
    return this.issuers.get(issuer) ?? NO_KEYS;
  }

  private get now(): number {
    return this.clock.now().getTime();
  }
}

const unreachable = (issuer: string, cause?: unknown): Error =>
  new CiIssuerUnreachable(issuer, PAUSE_MS / SECOND_MS, cause);

/** Reads where an issuer has its keys, and the keys. @throws HttpFailure, or JOSEError when either is not what it should be */
async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const document = await get(`${issuer}/.well-known/openid-configuration`);
  const address = asText(document?.['jwks_uri']);
  if (
    withoutTrailingSlashes(asText(document?.['issuer']) ?? '') !== issuer ||
    address === undefined ||
    !isAsSafe(issuer, address)
  )
    throw new errors.JWKSInvalid('The discovery document names another issuer, or no safe place of its keys');
  return createLocalJWKSet((await get(address)) as unknown as JSONWebKeySet);
}

async function get(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const client = new HttpClient({ allowedHosts: [url], timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BYTES });
  const { status, json } = await client.request({ method: 'GET', url, headers: { accept: 'application/json' } });
  return status === 200 ? asRecord(json) : undefined;
}

/** Whether an address has the issuer's origin, or both are encrypted. */
const isAsSafe = (issuer: string, address: string): boolean =>
  URL.canParse(address) &&
  (new URL(address).origin === new URL(issuer).origin || (issuer.startsWith('https:') && address.startsWith('https:')));
