import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

describe('the number of a version', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const push = async (pusher: Pusher, version: string, also: Record<string, string> = {}) =>
    pusher.push(version, await packageOf(version), also);

  const enable = async (pusher: Pusher, store: string) => {
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, store);
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true }), 200);
  };

  it.each([
    ['0.0.0', 'Chrome Web Store does not accept version 0.0.0: one of its numbers must not be 0.'],
    ['1.20261122', 'Chrome Web Store does not accept version 1.20261122: its numbers may be at most 65535.'],
  ])('is refused where a store that it goes to does not accept it: %s', async (version, sentence) => {
    const pusher = await Pusher.onChrome(world);
    await enable(pusher, 'firefox');
    const refused = { code: 'version_not_accepted', detail: expect.stringContaining(sentence) };
    expect(await push(pusher, version)).toMatchObject({ status: 422, body: refused });
    expect(await pusher.list()).toEqual([]);
    expectStatus(await push(pusher, version, { store: 'firefox' }), 201);
  });

  // https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleshortversionstring
  it('is refused for the App Store with a fourth number, before another store has it', async () => {
    const pusher = await Pusher.onChrome(world);
    await enable(pusher, 'safari');
    const sentence = 'App Store does not accept version 1.0.0.5: it may have at most 3 numbers.';
    const refused = { status: 422, body: { code: 'version_not_accepted', detail: expect.stringContaining(sentence) } };
    expect(await push(pusher, '1.0.0.5')).toMatchObject(refused);
    expect(await pusher.list()).toEqual([]);
    expectStatus(await push(pusher, '1.0.0.5', { store: 'chrome' }), 201);
    expectStatus(await push(pusher, '1.0.1.0'), 201);
  });

  it.each(['0.0.0', '1.20261122', '999999999.999999999.999999999.999999999'])(
    'is no concern of stores that it does not go to: %s',
    async (version) => {
      const pusher = await Pusher.in(world);
      await enable(pusher, 'firefox');
      expectStatus(await push(pusher, version), 201);
    },
  );

  it('is refused for a store that is named, though its target is not enabled yet', async () => {
    const pusher = await Pusher.in(world);
    expect(await push(pusher, '1.99999', { store: 'edge' })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('Microsoft Edge Add-ons does not accept version 1.99999') },
    });
    expectStatus(await push(pusher, '1.99999'), 201);
  });

  it('of a rollback is checked against its store', async () => {
    const mine = await world.given.publishable({ published: '1.1.0', history: ['1.0.0', '1.1.0'] });
    const path = `/extensions/${mine.extensionId}/targets/${mine.targetId}/rollback`;
    const order = { to: '1.0.0', version: '1.20261122', reason: 'It broke.' };
    expect(await world.api.as(mine).post(path, order)).toMatchObject({
      status: 422,
      body: { code: 'version_not_accepted' },
    });
  });
});
