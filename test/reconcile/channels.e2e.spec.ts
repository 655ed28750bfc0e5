import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { startWorld, type World } from '../support/app.js';
import { MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { CallGate } from './call-gate.js';

type Channel = 'listed' | 'unlisted';

describe('the channels of Firefox Add-ons', () => {
  let gate: CallGate;
  let world: World;
  let control: FirefoxControl;
  let tenant: Tenant;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
    control = new FirefoxControl(world.sandbox.url);
    tenant = await world.given.tenant();
  });
  afterAll(async () => {
    await world.close();
    await gate.close();
  });

  /** An author with one add-on and one target for it, in the given channel. */
  const author = async (channel: Channel, wish: { readonly live?: string } = {}) => {
    const credentials = await control.firefoxAccount({ name: 'Owl' });
    const { guid, slug } = await control.addon({ issuer: credentials.issuer, ...wish });
    const api = world.api.as(tenant);
    const made = expectStatus(await api.post('/credentials', { store: 'firefox', label: 'main', credentials }), 201);
    const extensionId = await world.given.extension(tenant);
    const targets = `/extensions/${extensionId}/targets`;
    const targetId = await world.given.targetOf(tenant, extensionId, 'firefox');
    const at = `${targets}/${targetId}`;
    const settings = { storeItemId: guid, channel, credentialId: made.body.id, enabled: true };
    expectStatus(await api.patch(at, settings), 200);
    return {
      guid,
      slug,
      targetId,
      further: async (wish: object): Promise<string> => {
        const body = { store: 'firefox', credentialId: made.body.id, ...wish };
        return expectStatus(await api.post(targets, body), 201).body.id;
      },
      push: async (version: string, named: { readonly target?: string } = {}): Promise<void> => {
        const zip = await packageOf(version, { browser_specific_settings: { gecko: { id: guid } } });
        expectStatus(await api.push({ extension: extensionId, version, ...named }, new Uint8Array(zip)), 201);
      },
      set: (changes: object) => api.patch(at, changes),
      status: async (id = targetId) => (await api.get(`${targets}/${id}`)).body.status,
      plan: async (id: string) =>
        (await api.get(`/extensions/${extensionId}/next-steps`)).body.targets.find(
          (one: { readonly targetId: string }) => one.targetId === id,
        ),
      releases: async (): Promise<readonly string[]> =>
        (await api.get(`/extensions/${extensionId}/releases`)).body.items.map(
          ({ version, targets: where }: { version: string; targets: readonly { state: string }[] }) =>
            `${version} ${where.map(({ state }) => state).join()}`,
        ),
      reconcile: async () => expectStatus(await api.post(`/extensions/${extensionId}/reconcile`, {}), 200).body,
      atStore: async (): Promise<readonly string[]> =>
        (await control.addonState(guid)).versions.map(({ version, channel: of }) => `${version} ${of}`),
    };
  };

  /** The scheduler looks again and again, while the stores' time and ours go on. */
  const pass = async (ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await world.forward(ms);
      await world.tick();
    }
  };

  it.each<[Channel, Channel]>([
    ['listed', 'unlisted'],
    ['unlisted', 'listed'],
  ])('keep a package that was uploaded as %s out of the %s one that the target then names', async (before, after) => {
    const { push, set, status, atStore } = await author(before);
    await push('1.0.0');
    await world.tick();
    expect(await status()).toMatchObject({ phase: 'validating' });
    expectStatus(await set({ channel: after }), 200);
    await pass(10 * SECOND, 5);
    expect(await atStore()).toEqual([`1.0.0 ${after}`]);
    expect(await status()).toMatchObject(
      after === 'listed' ? { phase: 'in_review' } : { phase: 'live', liveVersion: '1.0.0' },
    );
  });

  it('each keep their own releases, which continue when the target names the channel again', async () => {
    const { guid, push, set, status, releases } = await author('listed');
    await push('1.0.0');
    await pass(10 * SECOND, 3);
    await control.addonAct(guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await status()).toMatchObject({ phase: 'live', liveVersion: '1.0.0' });
    expectStatus(await set({ channel: 'unlisted' }), 200);
    await pass(10 * SECOND, 1);
    expect(await status()).toMatchObject({
      phase: 'rejected',
      liveVersion: null,
      message: expect.stringContaining(
        'is listed at addons.mozilla.org, and a number cannot be used in both channels. Push a newer version.',
      ),
    });
    expect(await releases()).toEqual(['1.0.0 failed']);
    expectStatus(await set({ channel: 'listed' }), 200);
    await pass(10 * SECOND, 1);
    expect(await status()).toMatchObject({ phase: 'live', liveVersion: '1.0.0' });
    expect(await releases()).toEqual(['1.0.0 live']);
  });

  it('are driven one at a time, whether targets name the add-on by GUID or slug', async () => {
    const { guid, slug, targetId, further, push, set, status, plan, reconcile, atStore } = await author('listed', {
      live: '1.0.0',
    });
    const other = await further({ storeItemId: slug, channel: 'unlisted', enabled: true });
    for (const target of [targetId, other]) await push('1.1.0', { target });
    await reconcile();
    await pass(10 * SECOND, 2);
    expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
    const refused = {
      phase: 'action_required',
      message: expect.stringContaining('publishes to the same item. Disable one of the two.'),
    };
    expect(await status(other)).toMatchObject(refused);
    expect(await plan(other)).toMatchObject({ phase: 'action_required', step: 'ask_human' });
    expect(await atStore()).toEqual(['1.0.0 listed', '1.1.0 listed']);
    expectStatus(await set({ enabled: false }), 200);
    await push('1.2.0');
    await reconcile();
    await pass(10 * SECOND, 2);
    expect(await status(other)).toMatchObject({ phase: 'live', liveVersion: '1.2.0' });
    expect(await set({ enabled: true })).toMatchObject({ status: 409, body: { code: 'item_enabled_twice' } });
    expect((await control.addonState(guid)).counters).toMatchObject({ versions: 2 });
  });

  it('are not mixed up by a check that began before the target changed to another one', async () => {
    const { push, set, status, reconcile, releases } = await author('listed', { live: '1.0.0' });
    await push('1.0.0');
    const held = gate.hold(({ url = '' }) => url.includes('/versions/?'));
    const reconciling = reconcile();
    await held.reached;
    expectStatus(await set({ channel: 'unlisted', enabled: false }), 200);
    held.open();
    await reconciling;
    expect(await status()).toMatchObject({ phase: 'disabled', liveVersion: null });
    expect(await releases()).toEqual([]);
  });
});
