import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, zipOf } from '../support/packages.js';
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

  it('has no finding that is about another item, or about another channel', async () => {
    const pusher = await Pusher.in(world);
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    const item = { storeItemId: 'owl@night.example', channel: 'unlisted', enabled: true };
    expectStatus(await world.api.as(pusher.mine).patch(path, item), 200);
    const gecko = { id: 'owl@night.example', update_url: 'https://example.com/updates.json' };
    const own = { ...gecko, data_collection_permissions: { required: ['none'] } };
    const { id } = await pusher.pushed('1.0.0', { browser_specific_settings: { gecko: own } });
    const listed = async () =>
      expectStatus(await world.api.as(pusher.mine).get(`/artifacts/${id}/findings`), 200).body.items.map(
        ({ code }: { readonly code: string }) => code,
      );
    expect(await listed()).toEqual([]);
    const other = { storeItemId: 'cat@night.example', channel: 'listed' };
    expectStatus(await world.api.as(pusher.mine).patch(path, other), 200);
    expect(await listed()).toEqual(['other_gecko_id', 'own_updates']);
  });

  it.each([
    ['a zero character', 'a\u0000b.png'],
    ['half of a pair', '\ud800.png'],
    ['a pair where it is cut', `${'x'.repeat(399)}\u{1f600}.png`],
  ])('may name files with %s', async (_case, name) => {
    const pusher = await Pusher.onChrome(world);
    const zip = await zipOf({
      'manifest.json': JSON.stringify(manifestOf('1.0.0', { icons: { 16: name } })),
      'background.js': '',
    });
    const { body } = expectStatus(await pusher.push('1.0.0', zip), 201);
    expect(body.findings).toContainEqual(expect.objectContaining({ code: 'absent_file', holds: true }));
  });

  it('is warned about before it is sent, as far as its manifest tells', async () => {
    const pusher = await pusherTo(['chrome', 'edge'], undefined);
    const manifest = {
      manifest_version: 3,
      name: 'Night Owl',
      version: '1.0.0',
      key: 'MIIB',
      icons: { 128: 'none.png' },
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
