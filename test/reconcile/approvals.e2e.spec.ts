import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAYS } from '../process/points.js';
import { startWorld, STORE_IDS, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Author } from './author.js';
import { CallGate } from './call-gate.js';
import { Publisher } from './publisher.js';

describe('with approvals required', () => {
  let gate: CallGate;
  let world: World;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
  });
  afterAll(async () => {
    await world.close();
    await gate.close();
  });

  const require = async (owner: Pick<Tenant, 'email' | 'password'>, extensionId: string): Promise<void> => {
    const { token } = await world.given.loggedIn(owner);
    const change = { approval: { required: true } };
    expectStatus(await world.api.as({ token }).patch(`/extensions/${extensionId}`, change), 200);
  };

  it('no store is told anything of a version before another person has approved it, and each gets it then', async () => {
    const ann = await world.given.tenant();
    const bob = await world.given.member(ann, 'publisher');
    const publisher = await Publisher.in(world, STORE_IDS, ann);
    const [extension] = (await world.api.as(ann).get('/extensions')).body.items;
    await require(ann, extension.id);
    await publisher.deliver('1.0.0');
    await publisher.push('1.0.0');
    for (const _ of ['once', 'again'])
      for (const { store, phase } of await publisher.reconcile())
        expect([store, phase]).toEqual([store, 'action_required']);
    for (const store of STORE_IDS) {
      const writes = (await publisher.asked(store)).filter((call) => Object.hasOwn(WAYS[store].writes, call));
      expect([store, writes]).toEqual([store, []]);
    }
    const [asked, ...others] = (await world.api.as(ann).get('/approvals')).body.items;
    expect(others).toEqual([]);
    expectStatus(await world.api.as({ cookie: bob.cookie }).post(`/approvals/${asked.id}/approve`), 200);
    const isUnderWay = async (): Promise<boolean> => {
      const phases = await Promise.all(STORE_IDS.map(async (store) => (await publisher.status(store)).phase));
      return phases.every((phase) => phase === 'in_review' || phase === 'live');
    };
    for (let round = 0; round < 6 && !(await isUnderWay()); round += 1) {
      await publisher.reconcile();
      await world.forward(60_000);
    }
    expect(await isUnderWay()).toBe(true);
  });

  it('nothing is sent when they become required while the store is asked what it has', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await world.given.member(author.mine, 'publisher');
    const other = await world.given.extension(author.mine);
    const place = { store: 'chrome', storeItemId: author.mine.itemId, credentialId: author.mine.credentialId };
    expectStatus(await world.api.as(author.mine).post(`/extensions/${other}/targets`, place), 201);
    await author.push('1.1.0');
    const held = gate.hold(':fetchStatus', 'after');
    const working = author.reconcile();
    await held.acted;
    await require(author.mine, other);
    held.open();
    expect(await working).toMatchObject({ phase: 'action_required' });
    expect((await author.counters())['uploads']).toBe(0);
    expect(await author.status()).toMatchObject({ approval: 'waiting', liveVersion: '1.0.0' });
  });
});
