import { randomBytes, randomInt } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';
import { Throttles } from './throttles.js';

/** Reasons for which AMO accepts no submissions from an account or its address. */
export const RESTRICTIONS = ['unverifiedEmail', 'blockedEmail', 'blockedAddress'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

/** An account with an API key. */
export interface Account {
  readonly issuer: string;
  secret: string;
  readonly userId: number;
  readonly name: string;
  /** The key was revoked. */
  isRevoked: boolean;
  isDisabled: boolean;
  hasReadAgreement: boolean;
  /** Why AMO accepts no submissions from it; null when it does. */
  restriction: Restriction | null;
  /** Whether AMO's throttles apply to it (src/stores/README.md#firefox-throttles). */
  isThrottled: boolean;
  /** How many reads of an upload find it in validation. */
  validationPolls: number;
  readonly throttles: Throttles;
}

/** How an account behaves; set when it is created and by `PATCH /__sim/firefox/accounts/{issuer}`. */
export type AccountBehavior = Pick<
  Account,
  'isDisabled' | 'hasReadAgreement' | 'restriction' | 'isThrottled' | 'validationPolls'
>;

/** Values that are generated when absent. */
export interface AccountOptions extends Partial<AccountBehavior> {
  readonly issuer?: string | undefined;
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
}

/** The credentials of an account. */
export interface AccountCredentials {
  readonly issuer: string;
  readonly secret: string;
}

const newSecret = (): string => randomBytes(32).toString('hex');

/** All accounts, by their issuer. */
export class Accounts {
  private readonly byIssuer = new Map<string, Account>();

  create({ issuer, secret, name, ...behavior }: AccountOptions): Account {
    const userId = randomInt(1_000_000, 100_000_000);
    const account: Account = {
      issuer: issuer ?? `user:${userId}:${randomInt(1, 1000)}`,
      secret: secret ?? newSecret(),
      userId,
      name: name ?? `developer-${userId}`,
      isRevoked: false,
      isDisabled: behavior.isDisabled ?? false,
      hasReadAgreement: behavior.hasReadAgreement ?? true,
      restriction: behavior.restriction ?? null,
      isThrottled: behavior.isThrottled ?? true,
      validationPolls: behavior.validationPolls ?? 0,
      throttles: new Throttles(),
    };
    if (this.byIssuer.has(account.issuer)) throw new ControlRefusal(409, `${account.issuer} exists already`);
    this.byIssuer.set(account.issuer, account);
    return account;
  }

  find(issuer: string): Account | undefined {
    return this.byIssuer.get(issuer);
  }

  named(issuer: string): Account {
    const account = this.byIssuer.get(issuer);
    if (!account) throw new ControlRefusal(404, `no account ${issuer}`);
    return account;
  }

  /** Replaces the secret of an account. */
  rotate(account: Account): AccountCredentials {
    account.secret = newSecret();
    account.isRevoked = false;
    return credentialsOf(account);
  }

  clear(): void {
    this.byIssuer.clear();
  }
}

export const credentialsOf = ({ issuer, secret }: Account): AccountCredentials => ({ issuer, secret });

/** The profile that AMO returns for a key (src/stores/README.md#firefox-authentication). */
export const profileBody = ({ userId, name }: Account): object => ({
  id: userId,
  name,
  display_name: name,
  username: name,
  email: `${name}@example.com`,
  url: null,
  is_addon_developer: true,
  read_dev_agreement: true,
});
