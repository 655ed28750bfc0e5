import { randomBytes, randomInt } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';
import { Throttles } from './throttles.js';

/** What AMO may hold against an account, or against where it calls from, besides its key. */
export const RESTRICTIONS = ['unverifiedEmail', 'blockedEmail', 'blockedAddress'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

/** Someone with an API key. */
export interface Account {
  readonly issuer: string;
  secret: string;
  readonly userId: number;
  readonly name: string;
  /** The key is gone. */
  isRevoked: boolean;
  isDisabled: boolean;
  hasReadAgreement: boolean;
  /** Why AMO takes no submission from it, though its key is good; null when it does. */
  restriction: Restriction | null;
  /** Whether AMO's throttles hold for it (docs/stores.md#firefox-throttles). */
  isThrottled: boolean;
  /** Reads of an upload that find it still being validated. */
  validationPolls: number;
  readonly throttles: Throttles;
}

/** How an account behaves; set on making it and by `PATCH /__sim/firefox/accounts/{issuer}`. */
export type AccountKnobs = Pick<
  Account,
  'isDisabled' | 'hasReadAgreement' | 'restriction' | 'isThrottled' | 'validationPolls'
>;

/** What an account may be given instead of having it made. */
export interface AccountWish extends Partial<AccountKnobs> {
  readonly issuer?: string | undefined;
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
}

/** What a client needs to act as an account. */
export interface AccountCredentials {
  readonly issuer: string;
  readonly secret: string;
}

const newSecret = (): string => randomBytes(32).toString('hex');

/** All accounts, by their issuer. */
export class Accounts {
  private readonly byIssuer = new Map<string, Account>();

  create({ issuer, secret, name, ...knobs }: AccountWish): Account {
    const userId = randomInt(1_000_000, 100_000_000);
    const account: Account = {
      issuer: issuer ?? `user:${userId}:${randomInt(1, 1000)}`,
      secret: secret ?? newSecret(),
      userId,
      name: name ?? `developer-${userId}`,
      isRevoked: false,
      isDisabled: knobs.isDisabled ?? false,
      hasReadAgreement: knobs.hasReadAgreement ?? true,
      restriction: knobs.restriction ?? null,
      isThrottled: knobs.isThrottled ?? true,
      validationPolls: knobs.validationPolls ?? 0,
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

  /** Gives an account a new secret; the old one is worth nothing from now on. */
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

/** The account as AMO shows it to itself (docs/stores.md#firefox-authentication). */
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
