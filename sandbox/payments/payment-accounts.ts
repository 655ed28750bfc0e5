import { randomBytes } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';

/** An account at a processor: one API key, and the secret that signs its notifications. */
export interface PaymentAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly email: string;
  /** What becomes of its key: `restricted` is known and may read nothing, `revoked` is known no more. */
  state: 'live' | 'restricted' | 'revoked';
}

/** What may be wished of an account; the rest is made up. */
export interface PaymentAccountWish {
  readonly accountId?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly email?: string | undefined;
}

/** How a processor writes the ids and secrets that it hands out. */
export interface PaymentIdStyle {
  accountId(random: string): string;
  apiKey(random: string): string;
  webhookSecret(random: string): string;
}

/** The accounts of one processor. */
export class PaymentAccounts {
  private accounts: PaymentAccount[] = [];

  constructor(private readonly style: PaymentIdStyle) {}

  create(wish: PaymentAccountWish): PaymentAccount {
    const accountId = wish.accountId ?? this.style.accountId(random());
    const account: PaymentAccount = {
      accountId,
      apiKey: wish.apiKey ?? this.style.apiKey(random()),
      webhookSecret: wish.webhookSecret ?? this.style.webhookSecret(random()),
      email: wish.email ?? `${accountId.toLowerCase()}@seller.example`,
      state: 'live',
    };
    if (this.withKey(account.apiKey)) throw new ControlRefusal(409, 'this API key is in use');
    this.accounts.push(account);
    return account;
  }

  named(accountId: string): PaymentAccount {
    const account = this.accounts.find((one) => one.accountId === accountId);
    if (!account) throw new ControlRefusal(404, `no account ${accountId}`);
    return account;
  }

  withKey(apiKey: string): PaymentAccount | undefined {
    return this.accounts.find((one) => one.apiKey === apiKey);
  }

  reset(): void {
    this.accounts = [];
  }
}

const random = (): string => randomBytes(16).toString('hex');
