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
/** The longest life of a token (docs/stores.md#safari-authentication). */
const MOST_SECONDS = 20 * 60;
const HOUR_MS = 3600_000;
/** Calls per rolling hour and key (docs/stores.md#safari-conventions). */
const HOURLY_LIMIT = 3600;

export const ROLES = ['ADMIN', 'APP_MANAGER', 'DEVELOPER'] as const;
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
  /** When its calls of the last hour were made. */
  calls: number[];
}

/** What a key may be given instead of having it made. */
export interface KeyWish {
  readonly issuerId?: string | undefined;
  readonly keyId?: string | undefined;
  /** PEM, PKCS#8. */
  readonly privateKey?: string | undefined;
  readonly individual?: boolean | undefined;
  readonly role?: Role | undefined;
  readonly hourlyLimit?: number | undefined;
}

/** What a client needs to act with a key. */
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

  create(wish: KeyWish): KeyCredentials {
    const keyId = wish.keyId ?? randomBytes(5).toString('hex').toUpperCase();
    if (this.byId.has(keyId)) throw new ControlRefusal(409, `key ${keyId} exists already`);
    const { publicKey, privateKey } = pairOf(wish.privateKey);
    const issuerId = wish.issuerId ?? randomUUID();
    const isIndividual = wish.individual ?? false;
    this.byId.set(keyId, {
      keyId,
      issuerId,
      isIndividual,
      role: wish.role ?? 'APP_MANAGER',
      publicKey,
      agreementsMissing: false,
      hourlyLimit: wish.hourlyLimit ?? HOURLY_LIMIT,
      calls: [],
    });
    return { teamId: issuerId, ...(!isIndividual && { issuerId }), keyId, privateKey };
  }

  /** The keys a control route means: one by its id, or all of a team. */
  named(name: string): ApiKey[] {
    const found = [...this.byId.values()].filter(({ keyId, issuerId }) => keyId === name || issuerId === name);
    if (found.length === 0) throw new ControlRefusal(404, `no key or team ${name}`);
    return found;
  }

  hasTeam(issuerId: string): boolean {
    return [...this.byId.values()].some((key) => key.issuerId === issuerId);
  }

  /** The key that a token says it is signed by, whether it is or not. */
  claimedBy(authorization: string | undefined): ApiKey | undefined {
    try {
      return this.byId.get(decodeProtectedHeader(tokenIn(authorization)).kid ?? '');
    } catch {
      return undefined;
    }
  }

  /**
   * Checks a token for real: ES256 by that very key, for this API, of one's own team, and short-lived
   * (docs/stores.md#safari-authentication).
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
    if (isForeign || issuedAt > seconds || lives > MOST_SECONDS || (payload.exp ?? 0) - seconds > MOST_SECONDS)
      throw notAuthorized();
    return key;
  }

  clear(): void {
    this.byId.clear();
  }
}

/** Counts a call, and says how many are left in the rolling hour; below zero, the call is one too many. */
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
