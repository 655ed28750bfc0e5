import { createHash } from 'node:crypto';
import type { ReconciledTarget, VersionReleases } from '../../src/reconcile/reconcile.dto.js';
import type { FaultOptions, FromJson } from '../../sandbox/sandbox-control.js';
import type { StoreId } from '../../src/stores/index.js';
import type { Target } from '../../src/targets/targets.dto.js';
import { STORE_IDS, type World } from '../support/app.js';
import { expectStatus, Given, type Tenant } from '../support/given.js';
import { pkgOf } from '../support/apple-packages.js';
import { packageOf } from '../support/packages.js';
import { newGuid, testStoreAt, type Done, type TestStore } from './test-stores.js';

/** The service that is asked, and the stores behind it. */
type Where = Pick<World, 'api' | 'control' | 'sandbox'> & Partial<Pick<World, 'given'>>;

interface Place {
  readonly testStore: TestStore;
  readonly targetId: string;
  readonly credentialId: string;
}

/** A tenant with one extension that is published at several stores. */
export class Publisher {
  private constructor(
    private readonly world: Where,
    private readonly owner: Tenant,
    readonly extensionId: string,
    private readonly guid: string,
    private readonly places: ReadonlyMap<StoreId, Place>,
  ) {}

  static async in(world: Where, stores: readonly StoreId[] = STORE_IDS, tenant?: Tenant): Promise<Publisher> {
    const given = world.given ?? new Given(world.api, world.control);
    const owner = tenant ?? (await given.tenant());
    const extensionId = await given.extension(owner);
    const guid = newGuid();
    const places = new Map<StoreId, Place>();
    for (const store of stores) {
      const testStore = await testStoreAt(store, world.sandbox.url, guid);
      const targetId = await given.targetOf(owner, extensionId, store);
      const { credentials, settings } = testStore;
      const made = await world.api.as(owner).post('/credentials', { store, label: 'main', credentials });
      const credentialId: string = expectStatus(made, 201).body.id;
      const path = `/extensions/${extensionId}/targets/${targetId}`;
      expectStatus(await world.api.as(owner).patch(path, { ...settings, credentialId, enabled: true }), 200);
      places.set(store, { testStore, targetId, credentialId });
    }
    return new Publisher(world, owner, extensionId, guid, places);
  }

  /** The same, asking another process of the service. */
  at(world: Where): Publisher {
    return new Publisher(world, this.owner, this.extensionId, this.guid, this.places);
  }

  /** The same, by another person of the tenant. */
  by(person: Tenant): Publisher {
    return new Publisher(this.world, person, this.extensionId, this.guid, this.places);
  }

  get stores(): readonly StoreId[] {
    return [...this.places.keys()];
  }

  testStore(store: StoreId): TestStore {
    return this.place(store).testStore;
  }

  /** Pins a version by one push for all stores. @returns the package's digest, as stores tell it */
  async push(version: string, manifest: object = {}): Promise<string> {
    const zip = await this.zipOf(version, manifest);
    const query = { extension: this.extensionId, version, notes: 'Owls.' };
    const pushed = await this.world.api.as(this.owner).push(query, new Uint8Array(zip));
    // One whose answer was lost is known already.
    return expectStatus(pushed, pushed.status === 200 ? 200 : 201).body.artifact.sha256;
  }

  /** The digest of the package of a version. */
  async digestOf(version: string, manifest: object = {}): Promise<string> {
    return createHash('sha256')
      .update(await this.zipOf(version, manifest))
      .digest('hex');
  }

  /** Pins a version again for all stores that was pushed before. @returns the status of the answer */
  async pinAgain(version: string): Promise<number> {
    const api = this.world.api.as(this.owner);
    const { artifacts } = expectStatus(await api.get(`/artifacts?extension=${this.extensionId}`), 200).body;
    const { id } = artifacts.find((one: { readonly version: string }) => one.version === version);
    return (await api.post(`/artifacts/${id}/pin`, {})).status;
  }

  /** Pins a version by its app for macOS. @returns the app's digest */
  async pushApp(version: string): Promise<string> {
    const query = { extension: this.extensionId, version, store: 'safari' };
    const app = new Uint8Array(pkgOf({ version, build: '1' }));
    const pushed = await this.world.api.as(this.owner).push(query, app, 'application/octet-stream');
    return expectStatus(pushed, 201).body.artifact.sha256;
  }

  /** Changes the settings of the target at a store. */
  async set(store: StoreId, settings: object): Promise<void> {
    const path = `/extensions/${this.extensionId}/targets/${this.place(store).targetId}`;
    const changed = await this.world.api.as(this.owner).patch(path, settings);
    // One whose answer was lost is done already.
    if (changed.body.code !== 'nothing_to_update') expectStatus(changed, 200);
  }

  /** Pauses or resumes the target at a store. */
  async pause(store: StoreId, paused: boolean): Promise<void> {
    const path = `/extensions/${this.extensionId}/targets/${this.place(store).targetId}`;
    expectStatus(await this.world.api.as(this.owner).post(`${path}/${paused ? 'pause' : 'resume'}`), 200);
  }

  /** Pins a version that brings back an older one at a store. @returns the status of the answer */
  async rollBack(store: StoreId, to: string, version: string): Promise<number> {
    const path = `/extensions/${this.extensionId}/targets/${this.place(store).targetId}/rollback`;
    return (await this.world.api.as(this.owner).post(path, { to, version, reason: 'It counts wrong.' })).status;
  }

  /** What another target at the item of a store is made of. */
  placeOf(store: StoreId): object {
    const { testStore, credentialId } = this.place(store);
    return { store, ...testStore.settings, credentialId };
  }

  /** The id of the target at a store. */
  targetId(store: StoreId): string {
    return this.place(store).targetId;
  }

  /** Brings the build of a version to the stores that take none from Pierhead. */
  async deliver(version: string): Promise<void> {
    for (const { testStore } of this.places.values()) await testStore.deliver(version);
  }

  async reconcile(): Promise<readonly FromJson<ReconciledTarget>[]> {
    const answer = await this.world.api.as(this.owner).post(`/extensions/${this.extensionId}/reconcile`);
    const targets: readonly FromJson<ReconciledTarget>[] = expectStatus(answer, 200).body.targets;
    return targets.filter(({ store }) => this.places.has(store));
  }

  async status(store: StoreId): Promise<FromJson<Target>['status']> {
    const path = `/extensions/${this.extensionId}/targets/${this.place(store).targetId}`;
    return expectStatus(await this.world.api.as(this.owner).get(path), 200).body.status;
  }

  /** The states of each version, newest first. */
  async releases(): Promise<readonly string[]> {
    const answer = await this.world.api.as(this.owner).get(`/extensions/${this.extensionId}/releases`);
    const items: readonly FromJson<VersionReleases>[] = expectStatus(answer, 200).body.items;
    return items.map(({ version, targets }) => `${version} ${targets.map(({ state }) => state).join()}`);
  }

  /** What the timeline holds, oldest first. */
  async events(): Promise<readonly unknown[]> {
    const answer = await this.world.api.as(this.owner).get(`/extensions/${this.extensionId}/events?limit=100`);
    return expectStatus(answer, 200).body.items.toReversed();
  }

  /** Gives Pierhead other secrets under the credential of a store. */
  async saveKey(store: StoreId, credentials: object): Promise<void> {
    const path = `/credentials/${this.place(store).credentialId}`;
    expectStatus(await this.world.api.as(this.owner).patch(path, { credentials }), 200);
  }

  /** Something goes wrong with the next such call about this extension at a store. */
  async fault(store: StoreId, operation: string, wish: Omit<FaultOptions, 'match' | 'publisherId'>): Promise<void> {
    await this.world.control.fault({ publisherId: this.testStore(store).account, match: { operation }, ...wish });
  }

  done(store: StoreId): Promise<Done> {
    return this.testStore(store).done();
  }

  /** The calls that reached a store for this extension, in their order. */
  async asked(store: StoreId): Promise<readonly string[]> {
    return (await this.calls(store)).map(({ operation }) => operation);
  }

  /** Those of them that the store granted. */
  async granted(store: StoreId): Promise<readonly string[]> {
    const calls = await this.calls(store);
    return calls.filter(({ status }) => status !== null && status < 300).map(({ operation }) => operation);
  }

  /** How many of those calls something went wrong with. */
  async disturbed(store: StoreId): Promise<number> {
    return (await this.calls(store)).filter(({ fault }) => fault !== null).length;
  }

  /** Chrome forgets the tokens that it gave out, so that the next call asks for one. */
  async forgetTokens(): Promise<void> {
    await this.world.control.account(this.testStore('chrome').account, 'revoke', { what: 'accessTokens' });
  }

  private zipOf(version: string, manifest: object): Promise<Buffer> {
    return packageOf(version, { browser_specific_settings: { gecko: { id: this.guid } }, ...manifest });
  }

  private calls(store: StoreId): ReturnType<World['control']['requests']> {
    return this.world.control.requests({ publisherId: this.testStore(store).account });
  }

  private place(store: StoreId): Place {
    const place = this.places.get(store);
    if (place === undefined) throw new Error(`Nothing is published at ${store}`);
    return place;
  }
}
