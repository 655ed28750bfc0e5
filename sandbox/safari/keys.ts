import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { ControlRefusal } from '../control-refusal.js';
import { notAuthorized } from './errors.js';

const AUDIENCE = 'appstoreconnect-v1';
/** The longest lifetime of a token (src/stores/README.md#safari-authentication). */
const MAX_TOKEN_SECONDS = 20 * 60;
const HOUR_MS = 3600_000;
/** Calls per rolling hour and key (src/stores/README.md#safari-conventions). */
const HOURLY_LIMIT = 3600;

export const ROLES = ['ADMIN', 'APP_MANAGER', 'DEVELOPER', 'SALES_AND_REPORTS', 'FINANCE'] as const;
export type Role = (typeof ROLES)[number];

/** An API key of a team, or of one person in it. */
export interface ApiKey {
  readonly keyId: string;
  readonly issuerId: string;
  readonly isIndividual: boolean;
  role: Role;
  /** `null` once it is revoked. */
  publicKey: KeyObject | null;
  agreementsMissing: boolean;
  hourlyLimit: number;
  /** The times of its calls in the last hour. */
  calls: number[];
}

/** Values that are generated when absent. */
export interface KeyOptions {
  readonly issuerId?: string | undefined;
  readonly keyId?: string | undefined;
  /** PEM, PKCS#8. */
  readonly privateKey?: string | undefined;
  readonly individual?: boolean | undefined;
  readonly role?: Role | undefined;
  readonly hourlyLimit?: number | undefined;
}

/** The credentials of a key. */
export interface KeyCredentials {
  /** The team; not part of the credentials of an individual key. */
  readonly teamId: string;
  readonly issuerId?: string;
  readonly keyId: string;
  readonly privateKey: string;
}

/** All API keys. */
export class ApiKeys {
  private readonly byId = new Map<string, ApiKey>();

  create(options: KeyOptions): KeyCredentials {
    const keyId = options.keyId ?? randomBytes(5).toString('hex').toUpperCase();
    if (this.byId.has(keyId)) throw new ControlRefusal(409, `key ${keyId} exists already`);
    const { publicKey, privateKey } = pairOf(options.privateKey);
    const issuerId = options.issuerId ?? randomUUID();
    const isIndividual = options.individual ?? false;
    this.byId.set(keyId, {
      keyId,
      issuerId,
      isIndividual,
      role: options.role ?? 'APP_MANAGER',
      publicKey,
      agreementsMissing: false,
      hourlyLimit: options.hourlyLimit ?? HOURLY_LIMIT,
      calls: [],
    });
    return { teamId: issuerId, ...(!isIndividual && { issuerId }), keyId, privateKey };
  }

  /** One key by its id, or all keys of a team. */
  named(name: string): ApiKey[] {
    const found = [...this.byId.values()].filter(({ keyId, issuerId }) => keyId === name || issuerId === name);
    if (found.length === 0) throw new ControlRefusal(404, `no key or team ${name}`);
    return found;
  }

  hasTeam(issuerId: string): boolean {
    return [...this.byId.values()].some((key) => key.issuerId === issuerId);
  }

  /** The key in a token's header, not authenticated. */
  claimedBy(authorization: string | undefined): ApiKey | undefined {
    try {
      return this.byId.get(decodeProtectedHeader(tokenIn(authorization)).kid ?? '');
    } catch {
      return undefined;
    }
  }

  /**
   * Verifies a token: ES256, key, audience, team and lifetime
   * (src/stores/README.md#safari-authentication).
   */
  async authenticate(authorization: string | undefined, now: Date): Promise<ApiKey> {
    const key = this.claimedBy(authorization);
    if (key?.publicKey == null) throw notAuthorized();
    const { payload } = await jwtVerify(tokenIn(authorization), key.publicKey, {
      algorithms: ['ES256'],
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ['exp'],
      ...(key.isIndividual ? { subject: 'user' } : { issuer: key.issuerId }),
    }).catch(() => {
      throw notAuthorized();
    });
    const seconds = Math.floor(now.getTime() / 1000);
    const issuedAt = payload.iat ?? seconds;
    const isForeign = key.isIndividual && payload.iss !== undefined;
    const lives = (payload.exp ?? 0) - issuedAt;
    if (
      isForeign ||
      issuedAt > seconds ||
      lives > MAX_TOKEN_SECONDS ||
      (payload.exp ?? 0) - seconds > MAX_TOKEN_SECONDS
    )
      throw notAuthorized();
    return key;
  }

  clear(): void {
    this.byId.clear();
  }
}

/** Counts a call. @returns the calls left in the rolling hour, below zero when this one exceeds the limit */
export function countCall(key: ApiKey, now: Date): number {
  key.calls = key.calls.filter((at) => at > now.getTime() - HOUR_MS);
  if (key.calls.length >= key.hourlyLimit) return -1;
  key.calls.push(now.getTime());
  return key.hourlyLimit - key.calls.length;
}

function tokenIn(authorization: string | undefined): string {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

function pairOf(pem: string | undefined): { readonly publicKey: KeyObject; readonly privateKey: string } {
  if (pem === undefined) {
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      publicKey: made.publicKey,
      privateKey: made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
  try {
    return { publicKey: createPublicKey(createPrivateKey(pem)), privateKey: pem };
  } catch {
    throw new ControlRefusal(409, 'the key given is not a PEM key');
  }
}
