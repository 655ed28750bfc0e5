import { expect } from 'vitest';
import type { Notification } from '../../src/notifications/notifications.dto.js';
import type { PlannedTarget, ReconciledTarget } from '../../src/reconcile/reconcile.dto.js';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import type { FaultOptions, FromJson } from '../../sandbox/sandbox-control.js';
import type { Target } from '../../src/targets/targets.dto.js';
import type { Answer } from '../support/api.js';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

/** A tenant's account at addons.mozilla.org, and the credential that Pierhead has of it. */
export interface AddonAccount {
  readonly tenant: Tenant;
  readonly issuer: string;
  readonly secret: string;
  readonly credentialId: string;
}

export async function addonAccount(world: World, tenant: Tenant): Promise<AddonAccount> {
  const credentials = await new FirefoxControl(world.sandbox.url).firefoxAccount({ name: 'Owl' });
  const wanted = { store: 'firefox', label: 'main', credentials };
  const made = expectStatus(await world.api.as(tenant).post('/credentials', wanted), 201);
  const { issuer, secret } = credentials;
  expect(made.body).toMatchObject({ identity: `Owl (${issuer})`, lastFour: secret.slice(-4) });
  return { tenant, ...credentials, credentialId: made.body.id };
}

/** An author of one add-on, and what he does over HTTP. */
export class AddonAuthor {
  private constructor(
    private readonly world: World,
    readonly account: AddonAccount,
    readonly control: FirefoxControl,
    readonly guid: string,
    readonly extensionId: string,
    readonly targetId: string,
  ) {}

  static async in(
    world: World,
    account: AddonAccount,
    wish: { readonly live?: string; readonly inReview?: string } = {},
  ): Promise<AddonAuthor> {
    const { tenant, issuer, credentialId } = account;
    const control = new FirefoxControl(world.sandbox.url);
    const { guid } = await control.addon({ issuer, ...wish });
    const extensionId = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extensionId, 'firefox');
    const author = new AddonAuthor(world, account, control, guid, extensionId, targetId);
    await author.set({ storeItemId: guid, credentialId, enabled: true });
    return author;
  }

  async push(version: string, more: object = {}, status = 201): Promise<Answer> {
    const zip = await packageOf(version, { browser_specific_settings: { gecko: { id: this.guid } } });
    const query = { extension: this.extensionId, version, ...more };
    return expectStatus(await this.api.push(query, new Uint8Array(zip)), status);
  }

  resubmit(): Promise<Answer> {
    return this.api.post(`${this.at}/resubmit`);
  }

  async set(settings: object): Promise<void> {
    expectStatus(await this.api.patch(this.at, settings), 200);
  }

  async status(): Promise<FromJson<Target>['status']> {
    return expectStatus(await this.api.get(this.at), 200).body.status;
  }

  async reconcile(): Promise<FromJson<ReconciledTarget>> {
    return expectStatus(await this.api.post(`/extensions/${this.extensionId}/reconcile`), 200).body.targets[0];
  }

  async plan(): Promise<FromJson<PlannedTarget> | undefined> {
    const targets: readonly FromJson<PlannedTarget>[] = expectStatus(
      await this.api.get(`/extensions/${this.extensionId}/next-steps`),
      200,
    ).body.targets;
    return targets.find(({ targetId }) => targetId === this.targetId);
  }

  /** The notifications about the target, oldest first. */
  async notifications(): Promise<readonly FromJson<Notification>[]> {
    const items: readonly FromJson<Notification>[] = expectStatus(await this.api.get('/notifications'), 200).body.items;
    return items.filter(({ targetId }) => targetId === this.targetId).toReversed();
  }

  async counters(): Promise<Awaited<ReturnType<FirefoxControl['addonState']>>['counters']> {
    return (await this.control.addonState(this.guid)).counters;
  }

  /** Something goes wrong with the next call of this kind that the account makes. */
  async fault(operation: string, wish: Omit<FaultOptions, 'match' | 'publisherId'>): Promise<void> {
    await this.control.fault({ publisherId: this.account.issuer, match: { operation }, ...wish });
  }

  private get at(): string {
    return `/extensions/${this.extensionId}/targets/${this.targetId}`;
  }

  private get api(): ReturnType<World['api']['as']> {
    return this.world.api.as(this.account.tenant);
  }
}
