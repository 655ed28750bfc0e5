import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { Pusher } from './pusher.js';
import { CASES, packed } from './field-packages.js';

/** Packages from the field that a store refuses every time, and good ones that look alike. */
describe('a package from the field', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const pusherTo = async (stores: readonly string[], channel: string | undefined): Promise<Pusher> => {
    const pusher = await Pusher.in(world);
    for (const store of stores) {
      const targetId = await world.given.targetOf(pusher.mine, pusher.extension, store);
      const path = `/extensions/${pusher.extension}/targets/${targetId}`;
      const unlisted = store === 'firefox' && channel !== undefined ? { channel } : {};
      expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true, ...unlisted }), 200);
    }
    return pusher;
  };

  it.each(CASES)('$name', async (field) => {
    const pusher = await pusherTo(field.stores, field.channel);
    const { body } = expectStatus(await pusher.push('1.0.0', await packed(field)), 201);
    expect(body.warning).toBe(field.warning);
  });

  it('is warned about before it is sent, as far as its manifest tells', async () => {
    const pusher = await pusherTo(['chrome', 'edge'], undefined);
    const manifest = {
      manifest_version: 3,
      name: 'Night Owl',
      version: '1.0.0',
      key: 'MIIB',
      icons: { 16: 'none.png' },
    };
    const input = { manifest, sha256: 'a'.repeat(64), size: 1000 };
    const { body } = expectStatus(
      await world.api.as(pusher.mine).post(`/artifacts/check?extension=${pusher.extension}`, input),
      200,
    );
    expect(body.warnings).toEqual([
      {
        kind: 'refused',
        message: 'Microsoft Edge Add-ons refuses this package: the manifest has the key "key". Remove it.',
      },
      {
        kind: 'warning',
        message: 'Chrome Web Store: the manifest has the key "key", which may be refused. Remove it.',
      },
    ]);
  });
});
