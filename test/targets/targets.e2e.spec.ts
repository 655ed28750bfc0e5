import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const STORES = ['chrome', 'firefox', 'edge', 'safari'] as const;
const CRX = 'abcdefghijklmnopabcdefghijklmnop';
const nothing = { status: 400, body: { code: 'nothing_to_update' } };
const invalid = (field: string, message: unknown = expect.any(String)): object => ({
  status: 400,
  body: { code: 'invalid_request', errors: [{ field, message }] },
});

type Store = (typeof STORES)[number];

/** An author with one extension, and what he does with its targets. */
class Owner {
  private constructor(
    private readonly world: World,
    readonly tenant: Tenant,
    readonly extensionId: string,
    readonly targetIds: Readonly<Record<Store, string>>,
  ) {}

  static async in(world: World, of?: Tenant): Promise<Owner> {
    const tenant = of ?? (await world.given.tenant());
    const extensionId = await world.given.extension(tenant);
    const { targets } = (await world.api.as(tenant).get(`/extensions/${extensionId}/targets`)).body;
    const ids = targets.map(({ store, id }: { readonly store: Store; readonly id: string }) => [store, id]);
    return new Owner(world, tenant, extensionId, Object.fromEntries(ids) as Record<Store, string>);
  }

  path(store: Store): string {
    return `/extensions/${this.extensionId}/targets/${this.targetIds[store]}`;
  }

  async get(store: Store = 'chrome') {
    return expectStatus(await this.world.api.as(this.tenant).get(this.path(store)), 200).body;
  }

  patch(changes: object, store: Store = 'chrome'): Promise<Answer> {
    return this.world.api.as(this.tenant).patch(this.path(store), changes);
  }

  async credential(): Promise<string> {
    const { publisherId, oauth } = await this.world.control.chromeAccount({ serviceAccount: KEY });
    const input = { store: 'chrome', label: 'main', credentials: { publisherId, ...oauth } };
    return expectStatus(await this.world.api.as(this.tenant).post('/credentials', input), 201).body.id;
  }

  async lastEvent() {
    const { items } = (await this.world.api.as(this.tenant).get(`/extensions/${this.extensionId}/events?limit=1`)).body;
    return items[0];
  }
}

/** Public, since nobody signs with it here; making a pair for each account takes longer than the tests. */
const KEY = {
  public_key: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEoBUyo8CQAFPeYPvv78ylh5MwFZjT
CLQeb042TjiMJxG+9DLFmRSMlBQ9T/RsLLc+PmpB1+7yPAR+oR5gZn3kJQ==
-----END PUBLIC KEY-----`,
};

describe('a target', () => {
  let world: World;
  let owner: Owner;
  beforeAll(async () => {
    world = await startWorld();
    owner = await Owner.in(world);
  });
  afterAll(() => world.close());

  it('exists for each store from the start, disabled and empty', async () => {
    const one = await Owner.in(world, owner.tenant);
    const { body } = await world.api.as(one.tenant).get(`/extensions/${one.extensionId}/targets`);
    expect(body.targets.map(({ store }: { readonly store: string }) => store)).toEqual(STORES);
    const now = world.clock.now().toISOString();
    expect(await one.get('chrome')).toEqual({
      id: one.targetIds.chrome,
      extensionId: one.extensionId,
      store: 'chrome',
      storeItemId: null,
      crxId: null,
      credentialId: null,
      enabled: false,
      platforms: ['desktop'],
      onPending: 'wait',
      channel: null,
      release: 'auto',
      rolloutPercent: null,
      releaseNotes: null,
      reviewerNotes: null,
      skipReview: false,
      signedUploads: false,
      watched: true,
      fileWatched: false,
      preflight: 'hold',
      encryption: null,
      xcodeCloudWorkflow: null,
      xcodeCloudTag: 'v{version}',
      storefront: 'us',
      users: null,
      usualReview: null,
      paused: false,
      status: {
        phase: 'disabled',
        phaseSince: now,
        desiredVersion: null,
        liveVersion: null,
        offeredPercent: null,
        submittedVersion: null,
        message: 'The target is disabled; nothing is published to it.',
        approval: null,
        missing: ['storeItemId', 'credentialId'],
        checkedAt: null,
        nextCheckAt: null,
        failures: 0,
        platforms: [],
      },
      rollout: null,
      health: { state: 'ok', at: null },
      display: { word: 'off', tone: 'off', turn: null, progress: 0 },
      accepts: [],
      listing: null,
      dashboard: 'https://chrome.google.com/webstore/devconsole',
      privacyPage: 'https://chrome.google.com/webstore/devconsole',
      createdAt: now,
      updatedAt: now,
    });
    for (const store of STORES) expect(await one.get(store)).toEqual(body.targets[STORES.indexOf(store)]);
  });

  it('accepts each setting alone, keeps the others, and adds an event', async () => {
    const one = await Owner.in(world, owner.tenant);
    const credentialId = await one.credential();
    const settings = { storeItemId: 'some-item', crxId: CRX, credentialId, enabled: true, onPending: 'replace' };
    let expected: object = await one.get();
    for (const [name, value] of Object.entries(settings)) {
      world.clock.forward(SECOND);
      const { status, body } = await one.patch({ [name]: value });
      expect(status).toBe(200);
      const { status: shown, display, listing, dashboard, privacyPage } = body;
      const derived = { status: shown, display, listing, dashboard, privacyPage };
      expected = { ...expected, [name]: value, updatedAt: world.clock.now().toISOString(), ...derived };
      expect(body).toEqual(expected);
      expect(await one.get()).toEqual(body);
      expect(await one.lastEvent()).toMatchObject({
        kind: 'target_changed',
        targetId: one.targetIds.chrome,
        message: `Chrome Web Store: ${name} changed.`,
        data: { [name]: value },
      });
    }
  });

  it('leads to the pages of its item, as far as its settings say where they are', async () => {
    const one = await Owner.in(world, owner.tenant);
    const pages = async (changes: object) => {
      const { listing, dashboard } = expectStatus(await one.patch(changes), 200).body;
      return [listing, dashboard];
    };
    const devconsole = 'https://chrome.google.com/webstore/devconsole';
    const listing = `https://chromewebstore.google.com/detail/${CRX}`;
    expect(await pages({ storeItemId: CRX })).toEqual([listing, devconsole]);
    const { publisherId, oauth } = await world.control.chromeAccount({ serviceAccount: KEY });
    const input = { store: 'chrome', credentials: { publisherId, ...oauth } };
    const credentialId: string = expectStatus(await world.api.as(owner.tenant).post('/credentials', input), 201).body
      .id;
    const own = `${devconsole}/${publisherId}/${CRX}/edit`;
    expect(await pages({ credentialId })).toEqual([listing, own]);
    expect((await one.get()).dashboard).toBe(own);
    expect(await pages({ credentialId: null })).toEqual([listing, devconsole]);
    expect(await pages({ storeItemId: null, credentialId })).toEqual([null, devconsole]);
  });

  it('may be enabled while incomplete, shows what is missing, and is due once nothing is', async () => {
    const one = await Owner.in(world, owner.tenant);
    const status = async (changes: object) => expectStatus(await one.patch(changes), 200).body.status;
    expect(await status({ enabled: true })).toMatchObject({
      phase: 'incomplete',
      message: 'The target still needs storeItemId and credentialId.',
      missing: ['storeItemId', 'credentialId'],
      nextCheckAt: null,
    });
    expect(await status({ storeItemId: 'item' })).toMatchObject({ phase: 'incomplete', missing: ['credentialId'] });
    const now = world.clock.now().toISOString();
    expect(await status({ credentialId: await one.credential() })).toMatchObject({
      phase: 'idle',
      missing: [],
      nextCheckAt: now,
    });
    expect(await status({ enabled: false })).toMatchObject({ phase: 'disabled', missing: [], nextCheckAt: null });
    expect(await status({ enabled: true, storeItemId: null })).toMatchObject({
      phase: 'incomplete',
      message: 'The target still needs storeItemId.',
      nextCheckAt: null,
    });
  });

  it('has its ids cleared by null', async () => {
    const one = await Owner.in(world, owner.tenant);
    await one.patch({ storeItemId: ' item ', crxId: CRX, credentialId: await one.credential() });
    expect((await one.get()).storeItemId).toBe('item');
    const cleared = { storeItemId: null, crxId: null, credentialId: null };
    expect(await one.patch(cleared)).toMatchObject({ status: 200, body: cleared });
    expect(await one.patch(cleared)).toMatchObject(nothing);
  });

  it('is not updated by the values that it has already, in any order', async () => {
    const one = await Owner.in(world, owner.tenant);
    expectStatus(await one.patch({ platforms: ['android', 'desktop'], storeItemId: 'item' }, 'firefox'), 200);
    const before = await one.get('firefox');
    for (const same of [
      {},
      { storeItemId: 'item' },
      { storeItemId: ' item ' },
      { enabled: false },
      { crxId: null },
      { onPending: 'wait' },
      { platforms: ['android', 'desktop'] },
      { platforms: ['desktop', 'android'] },
      { platforms: ['desktop', 'android'], enabled: false, storeItemId: 'item', credentialId: null },
    ])
      expect(await one.patch(same, 'firefox')).toMatchObject(nothing);
    expect(await one.get('firefox')).toEqual(before);
    expectStatus(await one.patch({ platforms: ['android'] }, 'firefox'), 200);
  });

  it.each<[Store, readonly string[], string]>([
    ['chrome', ['android'], 'may only contain desktop for Chrome Web Store.'],
    ['edge', ['desktop', 'ios'], 'may only contain desktop for Microsoft Edge Add-ons.'],
    ['firefox', ['ios'], 'may only contain desktop, android for Firefox Add-ons.'],
    ['safari', ['desktop'], 'may only contain macos, ios for App Store.'],
    ['safari', ['macOS'], 'may only contain macos, ios for App Store.'],
  ])('of %s refuses the platforms %j, and names the right ones', async (store, platforms, message) => {
    expect(await owner.patch({ platforms }, store)).toMatchObject(invalid('platforms', message));
  });

  it.each<[string, string, object]>([
    ['platforms', 'without an entry', { platforms: [] }],
    ['platforms', 'named twice', { platforms: ['desktop', 'desktop'] }],
    ['platforms', 'that are null', { platforms: null }],
    ['platforms', 'that are no list', { platforms: 'desktop' }],
    ['crxId', 'with a letter beyond p', { crxId: `q${CRX.slice(1)}` }],
    ['crxId', 'in upper case', { crxId: CRX.toUpperCase() }],
    ['crxId', 'that is too short', { crxId: CRX.slice(1) }],
    ['crxId', 'with a line after it', { crxId: `${CRX}\n` }],
    ['storeItemId', 'that is blank', { storeItemId: ' ' }],
    ['storeItemId', 'that is too long', { storeItemId: 'x'.repeat(256) }],
    ['credentialId', 'that is empty', { credentialId: '' }],
    ['credentialId', 'that is a number', { credentialId: 7 }],
    ['enabled', 'that is null', { enabled: null }],
    ['enabled', 'that is text', { enabled: 'true' }],
    ['onPending', 'that nobody knows', { onPending: 'cancel' }],
    ['store', 'that is another', { store: 'edge' }],
    ['status', 'of its own making', { status: { phase: 'live' } }],
  ])('refuses %s %s', async (field, _, wrong) => {
    const before = await owner.get();
    expect(await owner.patch({ ...wrong, storeItemId: 'new', ...wrong })).toMatchObject(invalid(field));
    expect(await owner.get()).toEqual(before);
  });

  it('can replace a version in review only where its store supports it', async () => {
    const message = 'Microsoft Edge Add-ons cannot withdraw a submission; use wait.';
    expect(await owner.patch({ onPending: 'replace' }, 'edge')).toMatchObject(invalid('onPending', message));
    expect((await owner.patch({ onPending: 'replace' }, 'safari')).status).toBe(200);
  });

  it('accepts only a credential of its own tenant and store', async () => {
    const credentialId = await owner.credential();
    const message = 'is a credential for chrome, not for edge.';
    expect(await owner.patch({ credentialId }, 'edge')).toMatchObject(invalid('credentialId', message));
    const absent = { status: 404, body: { code: 'credential_not_found' } };
    const other = await Owner.in(world);
    for (const id of [credentialId, randomUUID(), 'no uuid', 'x'.repeat(5000)])
      expect(await other.patch({ credentialId: id })).toMatchObject(absent);
    expect((await other.get()).credentialId).toBeNull();
    const upper = await owner.patch({ credentialId: credentialId.toUpperCase() });
    expect(upper).toMatchObject({ status: 200, body: { credentialId } });
  });

  it('does not keep a credential that is deleted at the same moment', async () => {
    const one = await Owner.in(world, owner.tenant);
    const credentialId = await one.credential();
    const deleting = world.app.get(DataSource).createQueryRunner();
    await deleting.startTransaction();
    await deleting.query('delete from credential where id = $1', [credentialId]);
    const patching = one.patch({ credentialId });
    // On the embedded database the patch waits before its first statement, where nobody can see it.
    for (let tries = 0; tries < 200; tries += 1)
      if ((await deleting.query('select 1 from pg_locks where not granted')).length > 0) break;
    await deleting.commitTransaction();
    await deleting.release();
    expect(await patching).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
    expect((await one.get()).credentialId).toBeNull();
  });

  it('keeps both changes when two are made at once', async () => {
    const one = await Owner.in(world, owner.tenant);
    const answers = await Promise.all([
      one.patch({ storeItemId: 'item' }),
      one.patch({ crxId: CRX }),
      one.patch({ enabled: true }),
      one.patch({ onPending: 'replace' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const expected = { storeItemId: 'item', crxId: CRX, enabled: true, onPending: 'replace' };
    expect(await one.get()).toMatchObject({ ...expected, status: { phase: 'incomplete', missing: ['credentialId'] } });
  });

  it('of another extension of the same tenant is not found under this one', async () => {
    const [one, other] = [await Owner.in(world, owner.tenant), await Owner.in(world, owner.tenant)];
    const path = `/extensions/${one.extensionId}/targets/${other.targetIds.chrome}`;
    const absent = { status: 404, body: { code: 'target_not_found' } };
    expect(await world.api.as(owner.tenant).get(path)).toMatchObject(absent);
    expect(await world.api.as(owner.tenant).patch(path, { enabled: true })).toMatchObject(absent);
    expect((await other.get()).enabled).toBe(false);
  });
});
