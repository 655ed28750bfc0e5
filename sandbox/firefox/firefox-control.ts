import { type FromJson, SandboxControl } from '../sandbox-control.js';
import type { AccountCredentials, AccountBehavior, AccountOptions } from './accounts.js';
import type { AddonBehavior, Channel } from './addon.js';
import type { AddonView } from './control.js';
import type { AddonOptions } from './world.js';

/** How to create an add-on. */
export interface FirefoxAddonOptions extends AddonOptions, Partial<AddonBehavior> {
  /** The issuer of the author's key. */
  readonly issuer: string;
  /** The channel of `live` and `inReview`; `listed` by default. */
  readonly channel?: Channel;
  readonly live?: string | undefined;
  readonly inReview?: string | undefined;
}

/** Events of an add-on: the end of a review, a deletion or a take-down; `cancel` is done by the developer. */
export type AddonAction = 'approve' | 'reject' | 'cancel' | 'delete' | 'takedown';

/** The control plane with the Firefox stand-in's routes, for tests. Throws unless a call succeeds. */
export class FirefoxControl extends SandboxControl {
  firefoxAccount(options: AccountOptions = {}): Promise<AccountCredentials> {
    return this.call('POST', '/firefox/accounts', options);
  }

  /** Changes how an account behaves. */
  firefoxUser(issuer: string, change: Partial<AccountBehavior>): Promise<void> {
    return this.call('PATCH', `/firefox/accounts/${encodeURIComponent(issuer)}`, change);
  }

  revokeKey(issuer: string): Promise<void> {
    return this.call('POST', `/firefox/accounts/${encodeURIComponent(issuer)}/revoke`);
  }

  rotateKey(issuer: string): Promise<AccountCredentials> {
    return this.call('POST', `/firefox/accounts/${encodeURIComponent(issuer)}/rotate`);
  }

  addon(options: FirefoxAddonOptions): Promise<FromJson<AddonView>> {
    return this.call('POST', '/firefox/addons', options);
  }

  addonState(guid: string): Promise<FromJson<AddonView>> {
    return this.call('GET', `/firefox/addons/${encodeURIComponent(guid)}`);
  }

  patchAddon(guid: string, change: Partial<AddonBehavior>): Promise<FromJson<AddonView>> {
    return this.call('PATCH', `/firefox/addons/${encodeURIComponent(guid)}`, change);
  }

  addonAct(guid: string, action: AddonAction, channel?: Channel): Promise<FromJson<AddonView>> {
    return this.call('POST', `/firefox/addons/${encodeURIComponent(guid)}/${action}`, channel ? { channel } : {});
  }

  site(change: { readonly readOnly?: boolean; readonly notice?: string | null }): Promise<unknown> {
    return this.call('PATCH', '/firefox/site', change);
  }
}
