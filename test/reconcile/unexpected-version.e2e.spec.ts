import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Publishable } from '../support/given.js';

describe('a version that nobody pushed', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const check = async (owner: Publishable) =>
    expectStatus(await world.api.as(owner).post(`/extensions/${owner.extensionId}/reconcile`, {}), 200);
  const alarms = async ({ token, extensionId }: Publishable) =>
    expectStatus(
      await world.api.as({ token }).get(`/extensions/${extensionId}/events?limit=100`),
      200,
    ).body.items.filter(({ kind }: { readonly kind: string }) => kind === 'unexpected_version');
  const publish = async (owner: Publishable, version: string): Promise<void> => {
    await world.given.pinned(owner, version);
    await check(owner);
    await world.control.act(owner.itemId, 'approve');
    await world.forward(HOUR);
    await check(owner);
    expect((await world.control.state(owner.itemId)).published?.package.version).toBe(version);
  };

  /** An add-on that serves a version. */
  const onFirefox = async (live: string) => {
    const owner = await world.given.publishable();
    const firefox = new FirefoxControl(world.sandbox.url);
    const account = await firefox.firefoxAccount();
    const { guid } = await firefox.addon({ issuer: account.issuer, live });
    const api = world.api.as(owner);
    const { id } = expectStatus(await api.post('/credentials', { store: 'firefox', credentials: account }), 201).body;
    const targetId = await world.given.targetOf(owner, owner.extensionId, 'firefox');
    const path = `/extensions/${owner.extensionId}/targets/${targetId}`;
    expectStatus(await api.patch(path, { storeItemId: guid, credentialId: id, enabled: true }), 200);
    await check(owner);
    return { owner, guid, firefox, targetId, path };
  };

  it('raises an alarm once, with what to do', async () => {
    const owner = await world.given.publishable();
    const webhook = { kind: 'webhook', url: 'http://127.0.0.1:9/' };
    const { id } = expectStatus(await world.api.as(owner).post('/notifications/endpoints', webhook), 201).body;
    await publish(owner, '1.0.0');
    await world.control.patch(owner.itemId, { published: '6.6.6' });
    await world.forward(DAY);
    await check(owner);
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toEqual([
      expect.objectContaining({
        version: '6.6.6',
        targetId: owner.targetId,
        message: expect.stringMatching(
          /^Chrome Web Store: Version 6\.6\.6 is served, and nobody pushed it\. .*roll back\.$/,
        ),
        data: { before: '1.0.0' },
      }),
    ]);
    const { items } = expectStatus(
      await world.api.as(owner).get(`/notifications/deliveries?endpoint=${id}&limit=100`),
      200,
    ).body;
    const kinds = items.map(({ kind }: { readonly kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'unexpected_version')).toHaveLength(1);
  });

  it.each([
    ['was live before the target was added', '5.0.0', (): Promise<void> => Promise.resolve()],
    [
      'was pushed, and published by hand',
      undefined,
      async (owner: Publishable): Promise<void> => {
        await publish(owner, '1.0.0');
        await world.given.pinned(owner, '1.1.0');
        await world.control.patch(owner.itemId, { published: '1.1.0' });
      },
    ],
    [
      'is an older one that was pushed, and put back by hand',
      undefined,
      async (owner: Publishable): Promise<void> => {
        await publish(owner, '1.0.0');
        await publish(owner, '1.1.0');
        await world.control.patch(owner.itemId, { published: '1.0.0' });
      },
    ],
    [
      'was rolled back to',
      undefined,
      async (owner: Publishable): Promise<void> => {
        await publish(owner, '1.0.0');
        await publish(owner, '1.1.0');
        const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}/rollback`;
        expectStatus(await world.api.as(owner).post(path, { version: '1.2.0', to: '1.0.0', reason: 'A fault.' }), 201);
      },
    ],
  ] as const)('is none that %s', async (_, published, act) => {
    const owner = await world.given.publishable(published === undefined ? {} : { published });
    await act(owner);
    await check(owner);
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toEqual([]);
  });

  it('is found at Edge too, which cannot roll back', async () => {
    const owner = await world.given.publishable();
    const edge = new EdgeControl(world.sandbox.url);
    const account = await edge.edgeAccount();
    const { productId, crxId } = await edge.edgeProduct({ clientId: account.clientId, live: '1.0.0' });
    const api = world.api.as(owner);
    const { id } = expectStatus(await api.post('/credentials', { store: 'edge', credentials: account }), 201).body;
    const targetId = await world.given.targetOf(owner, owner.extensionId, 'edge');
    const settings = { storeItemId: productId, crxId, credentialId: id, enabled: true };
    expectStatus(await api.patch(`/extensions/${owner.extensionId}/targets/${targetId}`, settings), 200);
    await check(owner);
    await edge.patchProduct(productId, { live: '1.0.1' });
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toMatchObject([
      { version: '1.0.1', targetId, message: expect.stringMatching(/push a higher version\.$/) },
    ]);
  });

  it('is another file of a version, where the store tells its digest', async () => {
    const { owner, guid, firefox, targetId } = await onFirefox('1.0.0');
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toEqual([]);
    await firefox.patchAddon(guid, { replacedDigest: 'f'.repeat(64) });
    await world.forward(DAY);
    await check(owner);
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toEqual([
      expect.objectContaining({
        version: '1.0.0',
        targetId,
        message: expect.stringMatching(
          /^Firefox Add-ons: The file of version 1\.0\.0 has been replaced, .*roll back\.$/,
        ),
        data: { before: `sha256:${'0'.repeat(64)}`, after: `sha256:${'f'.repeat(64)}` },
      }),
    ]);
  });

  it('raises no alarm at a target that is not watched', async () => {
    const { owner, guid, firefox, path } = await onFirefox('1.0.0');
    expectStatus(await world.api.as(owner).patch(path, { watched: false }), 200);
    await check(owner);
    await firefox.patchAddon(guid, { replacedDigest: 'f'.repeat(64) });
    await world.forward(DAY);
    await check(owner);
    expect(await alarms(owner)).toEqual([]);
  });
});
