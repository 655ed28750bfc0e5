import type { AccountCredentials } from './chrome/accounts.js';
import type { Item } from './chrome/item.js';
import { ControlClient } from './control-client.js';
import type { FaultKind } from './faults.js';
import type { LoggedRequest, LogFilter } from './request-log.js';

/** A value as it comes back from JSON: dates are strings. */
export type FromJson<T> = T extends Date
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: FromJson<T[Key]> }
    : T;

/** Events of a Chrome item: the end of its review, a warning or a take-down. */
export type ItemAction = 'approve' | 'reject' | 'takedown' | 'warn' | 'cancel';

/** An account at a payment processor, as the control plane returns it. */
export interface SimPaymentAccount {
  readonly accountId: string;
  readonly email: string;
  readonly credentials: { readonly webhookSecret: string; readonly apiKey: string };
}

/** The body of `POST /__sim/faults`. */
export interface FaultOptions {
  readonly store?: string;
  readonly publisherId?: string;
  readonly itemId?: string;
  readonly match?: {
    readonly operation?: string;
    readonly method?: string;
    readonly path?: string;
    readonly pathRegex?: string;
  };
  readonly kind: FaultKind;
  readonly times?: number | 'always';
  readonly skip?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ms?: number;
  readonly megabytes?: number;
}

/** The control plane and the Chrome stand-in's routes, for tests. Throws unless a call succeeds. */
export class SandboxControl extends ControlClient {
  chromeAccount(options: object = {}): Promise<AccountCredentials> {
    return this.call('POST', '/chrome/accounts', options);
  }

  chromeItem(options: { readonly publisherId: string; readonly [field: string]: unknown }): Promise<FromJson<Item>> {
    return this.call('POST', '/chrome/items', options);
  }

  state(itemId: string): Promise<FromJson<Item>> {
    return this.call('GET', `/chrome/items/${itemId}`);
  }

  patch(itemId: string, change: object): Promise<FromJson<Item>> {
    return this.call('PATCH', `/chrome/items/${itemId}`, change);
  }

  act(itemId: string, action: ItemAction): Promise<FromJson<Item>> {
    return this.call('POST', `/chrome/items/${itemId}/${action}`);
  }

  /** `revoke`, `attach` or `detach`, of an account by its e-mail address or of all at a publisher. */
  account(key: string, action: 'revoke' | 'attach' | 'detach', body: object = {}): Promise<void> {
    return this.call('POST', `/chrome/accounts/${encodeURIComponent(key)}/${action}`, body);
  }

  rotate(key: string): Promise<AccountCredentials> {
    return this.call('POST', `/chrome/accounts/${encodeURIComponent(key)}/rotate`);
  }

  /** An account at a payment processor, with an API key and a webhook secret. */
  paymentAccount(processor: string, options: object = {}): Promise<SimPaymentAccount> {
    return this.call('POST', `/${processor}/accounts`, options);
  }

  /** Puts what the processor's API answers at a path. */
  paymentObject(processor: string, path: string, object: object): Promise<void> {
    return this.call('PUT', `/${processor}/objects`, { path, object });
  }

  paymentKey(processor: string, accountId: string, state: 'live' | 'restricted' | 'revoked'): Promise<void> {
    return this.call('POST', `/${processor}/accounts/${accountId}/key`, { state });
  }

  fault(options: FaultOptions): Promise<{ readonly id: string }> {
    return this.call('POST', '/faults', options);
  }

  clearFaults(filter: { readonly itemId?: string; readonly publisherId?: string } = {}): Promise<unknown> {
    return this.call('DELETE', `/faults?${new URLSearchParams(filter).toString()}`);
  }

  async requests(filter: LogFilter = {}): Promise<FromJson<LoggedRequest>[]> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
    return (await this.call<{ requests: FromJson<LoggedRequest>[] }>('GET', `/requests?${query.toString()}`)).requests;
  }

  advance(seconds: number): Promise<unknown> {
    return this.call('POST', '/clock', { advanceSeconds: seconds });
  }

  reset(): Promise<void> {
    return this.call('POST', '/reset');
  }
}
