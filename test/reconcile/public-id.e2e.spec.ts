import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { stepsOf } from './author.js';
import { CallGate } from './call-gate.js';

describe('the public id of a product at Edge', () => {
  let gate: CallGate;
  let world: World;
  let control: EdgeControl;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
    control = new EdgeControl(world.sandbox.url);
  });
  afterAll(async () => {
    await world.close();
    await gate.close();
  });

  /** An author with a product that was never published, and the public id of somebody else's. */
  const author = async (otherLive: string) => {
    const tenant = await world.given.tenant();
    const api = world.api.as(tenant);
    const extensionId = await world.given.extension(tenant);
    const account = await control.edgeAccount();
    const mine = await control.edgeProduct({ clientId: account.clientId });
    const other = await control.edgeProduct({ clientId: account.clientId, live: otherLive });
    const credential = expectStatus(await api.post('/credentials', { store: 'edge', credentials: account }), 201).body;
    const path = `/extensions/${extensionId}/targets/${await world.given.targetOf(tenant, extensionId, 'edge')}`;
    const set = async (changes: object) => expectStatus(await api.patch(path, changes), 200).body;
    await set({ storeItemId: mine.productId, credentialId: credential.id, enabled: true });
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extensionId}/reconcile`, {}), 200).body.targets[0];
    return {
      mine: mine.crxId,
      others: other.crxId,
      set,
      reconcile,
      /** The scheduler's work, until the upload has been looked at. */
      work: async () => {
        await reconcile();
        await world.forward(MINUTE);
        return reconcile();
      },
      push: async (version: string) =>
        (await api.push({ extension: extensionId, version }, new Uint8Array(await packageOf(version)))).status,
      status: async () => expectStatus(await api.get(path), 200).body.status,
      releases: async () => expectStatus(await api.get(`/extensions/${extensionId}/releases`), 200).body.items,
      approve: () => control.actOnProduct(mine.productId, 'approve'),
      product: () => control.product(mine.productId),
    };
  };

  it.each(['corrected', 'cleared'])('once %s leaves nothing of the versions that it showed', async (how) => {
    const { mine, others, set, reconcile, work, push, status, product } = await author('9.9.9');
    await set({ crxId: others });
    await reconcile();
    expect(await status()).toMatchObject({ liveVersion: '9.9.9' });
    expect(await push('1.0.0')).toBe(409);
    expect((await set({ crxId: how === 'corrected' ? mine : null })).status).toMatchObject({ liveVersion: null });
    await reconcile();
    expect(await status()).toMatchObject({ liveVersion: null });
    expect(await push('1.0.0')).toBe(201);
    expect(await work()).toMatchObject({ phase: 'in_review' });
    expect((await product()).review?.package.version).toBe('1.0.0');
  });

  it('that showed another product’s version does not block the pinned one once it is corrected', async () => {
    const { mine, others, set, reconcile, work, push, approve } = await author('1.0.0');
    await set({ crxId: others });
    await push('1.0.0');
    expect(await reconcile()).toMatchObject({ phase: 'live' });
    await set({ crxId: mine });
    expect(await work()).toMatchObject({ phase: 'in_review' });
    await approve();
    expect(await reconcile()).toMatchObject({ phase: 'live' });
  });

  it.each(['1.0.0', '9.9.9'])(
    'that showed %s of somebody else has nothing sent again that is in review',
    async (shown) => {
      const { mine, others, set, reconcile, work, push, approve, product, releases } = await author(shown);
      await push('1.0.0');
      expect(await work()).toMatchObject({ phase: 'in_review' });
      await set({ crxId: others });
      expect(await reconcile()).toMatchObject({ phase: 'live' });
      await set({ crxId: mine });
      const answer = await reconcile();
      expect(answer).toMatchObject({ phase: 'in_review', message: expect.stringContaining('presumed in review') });
      expect(stepsOf(answer)).toEqual(['wait']);
      expect((await product()).counters).toMatchObject({ uploads: 1, submissions: 1 });
      await approve();
      expect(await reconcile()).toMatchObject({ phase: 'live', message: 'Version 1.0.0 is live.' });
      expect(await releases()).toMatchObject([{ version: '1.0.0', targets: [{ state: 'live' }] }]);
    },
  );

  it('is ignored by a check that began before it was corrected', async () => {
    const { mine, others, set, reconcile, push, status, releases } = await author('1.0.0');
    await set({ crxId: others });
    await push('1.0.0');
    const held = gate.hold(({ url = '' }) => url.includes('/operations/'));
    const reconciling = reconcile();
    await held.reached;
    await set({ crxId: mine });
    held.open();
    await reconciling;
    expect(await status()).toMatchObject({ liveVersion: null });
    expect(await releases()).toEqual([]);
  });
});
