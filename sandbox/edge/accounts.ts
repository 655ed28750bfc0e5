import { randomBytes, randomUUID } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';

/** How long an API key is valid (src/stores/README.md#edge-authentication). */
const KEY_LIFETIME_MS = 72 * 24 * 3600 * 1000;

/** An account of Partner Center with its one key pair (src/stores/README.md#edge-authentication). */
export interface Account {
  readonly clientId: string;
  apiKey: string;
  keyMadeAt: Date;
  keyRevoked: boolean;
}

/** The credentials of an account. */
export interface EdgeAccountCredentials {
  readonly clientId: string;
  readonly apiKey: string;
}

/** All accounts. */
export class Accounts {
  private readonly byClientId = new Map<string, Account>();

  create(options: Partial<EdgeAccountCredentials>, now: Date): EdgeAccountCredentials {
    const clientId = options.clientId ?? randomUUID();
    if (this.byClientId.has(clientId)) throw new ControlRefusal(409, `the account ${clientId} exists already`);
    const account = { clientId, apiKey: options.apiKey ?? newKey(), keyMadeAt: now, keyRevoked: false };
    this.byClientId.set(clientId, account);
    return credentialsOf(account);
  }

  /** Replaces the key, as a person does in Partner Center. */
  rotate(clientId: string, now: Date): EdgeAccountCredentials {
    const account = this.named(clientId);
    Object.assign(account, { apiKey: newKey(), keyMadeAt: now, keyRevoked: false });
    return credentialsOf(account);
  }

  revoke(clientId: string): void {
    this.named(clientId).keyRevoked = true;
  }

  /** The account that a client id and a key belong to, unless the key has expired. */
  admitted(clientId: string, apiKey: string, now: Date): Account | undefined {
    const account = this.byClientId.get(clientId);
    if (account === undefined || account.apiKey !== apiKey || account.keyRevoked) return undefined;
    return now.getTime() - account.keyMadeAt.getTime() <= KEY_LIFETIME_MS ? account : undefined;
  }

  named(clientId: string): Account {
    const account = this.byClientId.get(clientId);
    if (account === undefined) throw new ControlRefusal(404, `no account ${clientId}`);
    return account;
  }

  clear(): void {
    this.byClientId.clear();
  }
}

const newKey = (): string => randomBytes(42).toString('base64');

const credentialsOf = ({ clientId, apiKey }: Account): EdgeAccountCredentials => ({ clientId, apiKey });
