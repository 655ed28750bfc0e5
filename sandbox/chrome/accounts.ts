import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ControlRefusal } from '../control-refusal.js';

const newKeyPair = promisify(generateKeyPair);

/** A service account and a person with an OAuth client, both of one publisher. */
export interface Account {
  readonly publisherId: string;
  readonly clientEmail: string;
  /** The service account's key; `null` once it is deleted. */
  publicKey: KeyObject | null;
  /** The service account itself was deleted. */
  deleted: boolean;
  /** The owner of the refresh token. */
  readonly userEmail: string;
  readonly clientId: string;
  /** Empty for a public client (src/stores/README.md#chrome-credentials). */
  readonly clientSecret: string;
  refreshToken: string;
  refreshTokenRevoked: boolean;
  clientDeleted: boolean;
}

/** Values that are generated when absent. */
export interface AccountOptions {
  readonly publisherId?: string | undefined;
  readonly clientEmail?: string | undefined;
  /** PEM; either is enough. */
  readonly privateKey?: string | undefined;
  readonly publicKey?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** The credentials of an account. There is no private key when only a public one was given. */
export interface AccountCredentials {
  readonly publisherId: string;
  readonly serviceAccount: { readonly client_email: string; readonly private_key?: string | undefined };
  readonly oauth: { readonly clientId: string; readonly clientSecret: string; readonly refreshToken: string };
}

/** One of an account's two forms of credentials. */
export type PrincipalKind = 'serviceAccount' | 'oauth';

/** All accounts and their publishers. */
export class Accounts {
  private readonly byEmail = new Map<string, Account>();
  private readonly attached = new Map<string, Set<string>>();

  async create(options: AccountOptions): Promise<AccountCredentials> {
    const keys = await keysFor(options);
    const tag = randomBytes(6).toString('hex');
    const account: Account = {
      publisherId: options.publisherId ?? randomUUID(),
      clientEmail: options.clientEmail ?? `publisher-${tag}@sandbox-${tag}.iam.gserviceaccount.com`,
      publicKey: keys.publicKey,
      deleted: false,
      userEmail: `developer-${tag}@example.com`,
      clientId: options.clientId ?? `${tag}.apps.googleusercontent.com`,
      clientSecret: options.clientSecret ?? `GOCSPX-${randomBytes(21).toString('base64url')}`,
      refreshToken: options.refreshToken ?? newRefreshToken(),
      refreshTokenRevoked: false,
      clientDeleted: false,
    };
    if (this.byEmail.has(account.clientEmail)) throw new ControlRefusal(409, `${account.clientEmail} exists already`);
    this.byEmail.set(account.clientEmail, account);
    this.setAttached(account, ['serviceAccount', 'oauth'], true);
    return credentialsOf(account, keys.privateKey);
  }

  /** Replaces the key and the refresh token of an account. */
  async rotate(account: Account): Promise<AccountCredentials> {
    const keys = await keysFor({});
    account.publicKey = keys.publicKey;
    account.deleted = false;
    account.refreshToken = newRefreshToken();
    account.refreshTokenRevoked = false;
    account.clientDeleted = false;
    return credentialsOf(account, keys.privateKey);
  }

  byClientEmail(email: string): Account | undefined {
    return this.byEmail.get(email);
  }

  byClientId(clientId: string): Account[] {
    return [...this.byEmail.values()].filter((account) => account.clientId === clientId);
  }

  /** One account by its e-mail address, or all accounts of a publisher. */
  named(key: string): Account[] {
    const found = [...this.byEmail.values()].filter(
      (account) => account.clientEmail === key || account.publisherId === key,
    );
    if (found.length === 0) throw new ControlRefusal(404, `no account ${key}`);
    return found;
  }

  hasPublisher(publisherId: string): boolean {
    return this.attached.has(publisherId);
  }

  isAttached(principal: string, publisherId: string): boolean {
    return this.attached.get(publisherId)?.has(principal) ?? false;
  }

  setAttached(account: Account, kinds: readonly PrincipalKind[], attach: boolean): void {
    const members = this.attached.get(account.publisherId) ?? new Set<string>();
    this.attached.set(account.publisherId, members);
    for (const kind of kinds) {
      const principal = kind === 'serviceAccount' ? account.clientEmail : account.userEmail;
      if (attach) members.add(principal);
      else members.delete(principal);
    }
  }

  clear(): void {
    this.byEmail.clear();
    this.attached.clear();
  }
}

async function keysFor(options: AccountOptions): Promise<{ publicKey: KeyObject; privateKey?: string }> {
  try {
    if (options.privateKey !== undefined) {
      const privateKey = createPrivateKey(options.privateKey);
      return { publicKey: createPublicKey(privateKey), privateKey: options.privateKey };
    }
    if (options.publicKey !== undefined) return { publicKey: createPublicKey(options.publicKey) };
  } catch {
    throw new ControlRefusal(409, 'the key given is not a PEM key');
  }
  const made = await newKeyPair('rsa', { modulusLength: 2048 });
  return { publicKey: made.publicKey, privateKey: made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function newRefreshToken(): string {
  return `1//0${randomBytes(60).toString('base64url')}`;
}

function credentialsOf(account: Account, privateKey: string | undefined): AccountCredentials {
  const { publisherId, clientEmail, clientId, clientSecret, refreshToken } = account;
  return {
    publisherId,
    serviceAccount: { client_email: clientEmail, private_key: privateKey },
    oauth: { clientId, clientSecret, refreshToken },
  };
}
