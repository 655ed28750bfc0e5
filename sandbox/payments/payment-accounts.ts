import { randomBytes } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';

/** An account at a processor: one API key, and the secret that signs its notifications. */
export interface PaymentAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly email: string;
  /** The state of its key: a `restricted` key may not read anything, a `revoked` one is unknown. */
  state: 'live' | 'restricted' | 'revoked';
}

/** Values that are generated when absent. */
export interface PaymentAccountOptions {
  readonly accountId?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly email?: string | undefined;
}

/** The form of a processor's ids and secrets. */
export interface PaymentIdStyle {
  accountId(random: string): string;
  apiKey(random: string): string;
  webhookSecret(random: string): string;
}

/** The accounts of one processor. */
export class PaymentAccounts {
  private accounts: PaymentAccount[] = [];

  constructor(private readonly style: PaymentIdStyle) {}

  create(options: PaymentAccountOptions): PaymentAccount {
    const accountId = options.accountId ?? this.style.accountId(random());
    const account: PaymentAccount = {
      accountId,
      apiKey: options.apiKey ?? this.style.apiKey(random()),
      webhookSecret: options.webhookSecret ?? this.style.webhookSecret(random()),
      email: options.email ?? `${accountId.toLowerCase()}@seller.example`,
      state: 'live',
    };
    if (this.withKey(account.apiKey)) throw new ControlRefusal(409, 'this API key is in use');
    this.accounts.push(account);
    return account;
  }

  /** The oldest account, or a new one. */
  first(): PaymentAccount {
    return this.accounts[0] ?? this.create({});
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
