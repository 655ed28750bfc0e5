import { type FromJson, SandboxControl } from '../sandbox-control.js';
import type { AccountCredentials, AccountKnobs, AccountWish } from './accounts.js';
import type { AddonKnobs, Channel } from './addon.js';
import type { AddonView } from './control.js';
import type { AddonWish } from './world.js';

/** What an add-on is to be like when it is made. */
export interface FirefoxAddonWish extends AddonWish, Partial<AddonKnobs> {
  /** Whose key may work on it. */
  readonly issuer: string;
  /** Where `live` and `inReview` are; `listed` by default. */
  readonly channel?: Channel;
  readonly live?: string | undefined;
  readonly inReview?: string | undefined;
}

/** What a review can be made to end in, and what can befall the add-on; `cancel` is the developer's own doing. */
export type AddonAction = 'approve' | 'reject' | 'cancel' | 'delete' | 'takedown';

/** The control plane of the Firefox stand-in for a test: throws on any answer but a success. */
export class FirefoxControl extends SandboxControl {
  firefoxAccount(wish: AccountWish = {}): Promise<AccountCredentials> {
    return this.call('POST', '/firefox/accounts', wish);
  }

  /** Changes how an account behaves. */
  firefoxUser(issuer: string, change: Partial<AccountKnobs>): Promise<void> {
    return this.call('PATCH', `/firefox/accounts/${encodeURIComponent(issuer)}`, change);
  }

  revokeKey(issuer: string): Promise<void> {
    return this.call('POST', `/firefox/accounts/${encodeURIComponent(issuer)}/revoke`);
  }

  rotateKey(issuer: string): Promise<AccountCredentials> {
    return this.call('POST', `/firefox/accounts/${encodeURIComponent(issuer)}/rotate`);
  }

  addon(wish: FirefoxAddonWish): Promise<FromJson<AddonView>> {
    return this.call('POST', '/firefox/addons', wish);
  }

  addonState(guid: string): Promise<FromJson<AddonView>> {
    return this.call('GET', `/firefox/addons/${encodeURIComponent(guid)}`);
  }

  patchAddon(guid: string, change: Partial<AddonKnobs>): Promise<FromJson<AddonView>> {
    return this.call('PATCH', `/firefox/addons/${encodeURIComponent(guid)}`, change);
  }

  addonAct(guid: string, action: AddonAction, channel?: Channel): Promise<FromJson<AddonView>> {
    return this.call('POST', `/firefox/addons/${encodeURIComponent(guid)}/${action}`, channel ? { channel } : {});
  }

  site(change: { readonly readOnly?: boolean; readonly notice?: string | null }): Promise<unknown> {
    return this.call('PATCH', '/firefox/site', change);
  }
}
