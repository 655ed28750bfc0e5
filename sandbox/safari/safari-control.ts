import type { FromJson } from '../sandbox-control.js';
import type { AppState } from './control.js';
import type { KeyCredentials } from './keys.js';
import type { Build } from './model.js';

/** The platforms as a target names them. */
export type PlatformName = 'macos' | 'ios';

/** What Apple, or the developer in App Store Connect, can do to one platform of an app. */
export type AppAction = 'begin-review' | 'approve' | 'reject' | 'cancel' | 'takedown' | 'withdraw' | 'add-event';

/** The control plane of the App Store stand-in, for tests. Throws unless a call succeeds. */
export class SafariControl {
  constructor(private readonly url: string) {}

  key(options: object = {}): Promise<KeyCredentials> {
    return this.call('POST', '/keys', options);
  }

  /** @param name a key's id, or a team's for all its keys */
  changeKey(name: string, change: object): Promise<void> {
    return this.call('PATCH', `/keys/${name}`, change);
  }

  revoke(name: string): Promise<void> {
    return this.call('POST', `/keys/${name}/revoke`);
  }

  app(options: { readonly issuerId: string; readonly [field: string]: unknown }): Promise<FromJson<AppState>> {
    return this.call('POST', '/apps', options);
  }

  state(appId: string): Promise<FromJson<AppState>> {
    return this.call('GET', `/apps/${appId}`);
  }

  patch(appId: string, change: object): Promise<FromJson<AppState>> {
    return this.call('PATCH', `/apps/${appId}`, change);
  }

  /** Creates a version, as if in App Store Connect. */
  version(appId: string, options: object): Promise<FromJson<AppState>> {
    return this.call('POST', `/apps/${appId}/versions`, options);
  }

  /** Delivers a build, as Xcode does. */
  deliver(
    appId: string,
    options: { readonly version: string; readonly [field: string]: unknown },
  ): Promise<FromJson<Build>> {
    return this.call('POST', `/apps/${appId}/deliver`, options);
  }

  act(appId: string, action: AppAction, platform: PlatformName = 'macos'): Promise<FromJson<AppState>> {
    return this.call('POST', `/apps/${appId}/${action}`, { platform });
  }

  private async call<T>(method: string, path: string, body: object = {}): Promise<T> {
    const response = await fetch(`${this.url}/__sim/safari${path}`, {
      method,
      ...(method !== 'GET' && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /__sim/safari${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
