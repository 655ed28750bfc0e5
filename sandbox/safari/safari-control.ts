import { ControlClient } from '../control-client.js';
import type { FromJson } from '../sandbox-control.js';
import type { AppState } from './control.js';
import type { BuildRun, GitReference, Workflow } from './cloud.js';
import type { KeyCredentials } from './keys.js';
import type { Build, EventType } from './model.js';
import type { Announcement } from './webhooks.js';

/** The platforms as a target names them. */
export type PlatformName = 'macos' | 'ios';

/** Actions of Apple, or of the developer in App Store Connect, on one platform of an app. */
export type AppAction = 'begin-review' | 'approve' | 'reject' | 'cancel' | 'add-event' | 'publish-responses';

/** The control plane of the App Store stand-in, for tests. Throws unless a call succeeds. */
export class SafariControl extends ControlClient {
  key(options: object = {}): Promise<KeyCredentials> {
    return this.call('POST', '/safari/keys', options);
  }

  /** @param name a key's id, or a team's for all its keys */
  changeKey(name: string, change: object): Promise<void> {
    return this.call('PATCH', `/safari/keys/${name}`, change);
  }

  revoke(name: string): Promise<void> {
    return this.call('POST', `/safari/keys/${name}/revoke`);
  }

  app(options: { readonly issuerId: string; readonly [field: string]: unknown }): Promise<FromJson<AppState>> {
    return this.call('POST', '/safari/apps', options);
  }

  state(appId: string): Promise<FromJson<AppState>> {
    return this.call('GET', `/safari/apps/${appId}`);
  }

  patch(appId: string, change: object): Promise<FromJson<AppState>> {
    return this.call('PATCH', `/safari/apps/${appId}`, change);
  }

  /** Creates a version, as if in App Store Connect. */
  version(appId: string, options: object): Promise<FromJson<AppState>> {
    return this.call('POST', `/safari/apps/${appId}/versions`, options);
  }

  /** Delivers a build, as Xcode does. */
  deliver(
    appId: string,
    options: { readonly version: string; readonly [field: string]: unknown },
  ): Promise<FromJson<Build>> {
    return this.call('POST', `/safari/apps/${appId}/deliver`, options);
  }

  /** Makes a workflow of Xcode Cloud. */
  workflow(appId: string, options: { readonly isEnabled?: boolean } = {}): Promise<Workflow> {
    return this.call('POST', `/safari/apps/${appId}/workflows`, options);
  }

  /** Pushes a tag, or a branch, to the repository of an app. */
  reference(appId: string, name: string, kind: GitReference['kind'] = 'TAG'): Promise<GitReference> {
    return this.call('POST', `/safari/apps/${appId}/references`, { name, kind });
  }

  /** Starts a run, as its author or a tag does. */
  startRun(appId: string, workflowId: string, referenceId: string): Promise<FromJson<BuildRun>> {
    return this.call('POST', `/safari/apps/${appId}/runs`, { workflowId, referenceId });
  }

  /** Ends a run of Xcode Cloud, which delivers builds. */
  finishRun(
    appId: string,
    number: number,
    status: NonNullable<BuildRun['status']>,
    builds: readonly { readonly version: string; readonly platform?: PlatformName }[] = [],
  ): Promise<FromJson<AppState>> {
    return this.call('POST', `/safari/apps/${appId}/runs/${number}`, { status, builds });
  }

  /** What Apple sends to the webhooks of an app about an event; with an id, the same again. */
  announce(
    appId: string,
    event: { readonly type: EventType; readonly id?: string },
  ): Promise<readonly FromJson<Announcement>[]> {
    return this.call('POST', `/safari/apps/${appId}/announce`, event);
  }

  /** Somebody changes the webhooks of an app, or deletes them (null). */
  webhook(appId: string, change: { readonly enabled: boolean } | null): Promise<void> {
    return this.call('PATCH', `/safari/apps/${appId}/webhooks`, { change });
  }

  act(appId: string, action: AppAction, platform: PlatformName = 'macos'): Promise<FromJson<AppState>> {
    return this.call('POST', `/safari/apps/${appId}/${action}`, { platform });
  }
}
