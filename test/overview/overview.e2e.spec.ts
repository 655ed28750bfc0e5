import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, startWorld, type World } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';

interface Need {
  readonly kind: string;
  readonly turn: string;
}

describe('the overview', () => {
  let world: World;
  let author: Publishable;
  beforeAll(async () => {
    world = await startWorld();
    author = await world.given.publishable({ published: '1.0.0' });
  });
  afterAll(() => world.close());

  const overview = async (as: { readonly token: string } = author, query = '') =>
    expectStatus(await world.api.as(as).get(`/overview${query}`), 200).body;
  const kinds = async (as?: { readonly token: string }): Promise<readonly string[]> =>
    (await overview(as)).needs.map(({ kind }: Need) => kind);
  const query = (sql: string, values: readonly unknown[]): Promise<unknown> =>
    world.app.get(DataSource).query(sql, [...values]);

  it('of a new tenant is empty', async () => {
    expect(await overview(await world.given.tenant())).toEqual({ needs: [], items: [], nextCursor: null });
  });

  it('shows each extension at each store: what is live, what is on its way, and since when', async () => {
    const submitted = world.clock.now().toISOString();
    await world.given.pinned(author, '1.1.0');
    await world.tick();
    const [{ targets, ...extension }] = (await overview()).items;
    expect(extension).toEqual({
      id: author.extensionId,
      name: expect.any(String),
      activeInstalls: null,
      users: null,
      trend: null,
    });
    expect(targets.map(({ store, phase }: { store: string; phase: string }) => [store, phase])).toEqual([
      ['chrome', 'in_review'],
      ['firefox', 'disabled'],
      ['edge', 'disabled'],
      ['safari', 'disabled'],
    ]);
    expect(targets[0]).toMatchObject({
      id: author.targetId,
      liveVersion: '1.0.0',
      submittedVersion: '1.1.0',
      desiredVersion: '1.1.0',
      rollout: null,
      paused: false,
    });
    expect(targets[0].phaseSince >= submitted).toBe(true);
    await world.forward(3_600_000);
    await world.tick();
    expect((await overview()).items[0].targets[0]).toMatchObject({
      phase: 'in_review',
      phaseSince: targets[0].phaseSince,
    });
  });

  it('says that a store rejected a version, in its words, until another one is on its way', async () => {
    await world.control.act(author.itemId, 'reject');
    await world.forward(24 * 3_600_000);
    await world.tick();
    const [need] = (await overview()).needs;
    expect(need).toMatchObject({
      kind: 'rejected',
      turn: 'you',
      what: expect.stringMatching(/^Chrome Web Store rejected Extension .* 1\.1\.0\.$/),
      extensionId: author.extensionId,
      targetId: author.targetId,
      store: 'chrome',
      count: 1,
    });
    expect(need).toMatchObject({
      action: 'See why',
      href: `/extensions/${author.extensionId}/versions/1.1.0#rejected`,
    });
    await world.given.pinned(author, '1.2.0');
    await world.tick();
    expect(await kinds()).toEqual([]);
  });

  it.each([
    [
      'edge',
      '3c2f8c1e-5f0a-4c62-9a77-0d1c2b3a4f5e',
      'https://partner.microsoft.com/dashboard/microsoftedge/3c2f8c1e-5f0a-4c62-9a77-0d1c2b3a4f5e/packages/dashboard',
    ],
    ['chrome', 'gighmmpiobklfepjocnamgkkbiglidom', 'https://chrome.google.com/webstore/devconsole'],
    ['firefox', 'owl@author.example', 'https://addons.mozilla.org/developers/addon/owl%40author.example/versions'],
    ['safari', '1234567890', 'https://appstoreconnect.apple.com/apps/1234567890'],
  ])('leads to the page of the item itself at %s', async (store, storeItemId, url) => {
    const owner = await world.given.tenant();
    const extensionId = await world.given.extension(owner);
    const { targets } = (await world.api.as(owner).get(`/extensions/${extensionId}/targets`)).body;
    const { id } = targets.find((target: { readonly store: string }) => target.store === store);
    await query('update target set enabled = true, store_item_id = $2 where id = $1', [id, storeItemId]);
    await query("update target_status set phase = 'taken_down' where target_id = $1", [id]);
    expect((await overview(owner)).needs).toMatchObject([{ kind: 'taken_down', store, href: url }]);
  });

  it('counts active installs of the last whole day, for those who may read them', async () => {
    const day = new Date(world.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
    await query('insert into stat_total values ($1, $2, 5204, 0, 0, 0)', [author.extensionId, day]);
    expect((await overview()).items[0].activeInstalls).toBe(5204);
    const { token } = author;
    const narrow = await world.given.token(author, ['extensions:read']);
    expect((await overview({ token: narrow })).items[0].activeInstalls).toBeNull();
    expect((await overview({ token })).items[0].activeInstalls).toBe(5204);
  });

  it('pages through the extensions, and says what is needed on the first page alone', async () => {
    const owner = await world.given.tenant();
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.unshift(await world.given.extension(owner, name));
    await query("update target set enabled = true where extension_id = $1 and store = 'edge'", [ids[2]]);
    await query(
      "update target_status s set phase = 'incomplete' from target t where t.id = target_id and t.enabled and t.extension_id = $1",
      [ids[2]],
    );
    const first = await overview(owner, '?limit=2');
    expect([first.needs.length, first.items.map(({ id }: { id: string }) => id)]).toEqual([1, ids.slice(0, 2)]);
    const second = await overview(owner, `?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ needs: [], items: [{ id: ids[2] }], nextCursor: null });
  });

  it('tells each role, and each token, no more than it may read', async () => {
    const owner = await world.given.publishable({ published: '1.0.0' });
    const { licenseId } = await world.given.licensed({ extensionId: owner.extensionId }, owner);
    const mine = await world.given.extension(owner);
    await query("update license set delivery = 'undelivered' where id = $1", [licenseId]);
    await query('update credential set expires_at = $2 where id = $1', [
      owner.credentialId,
      new Date(world.clock.now().getTime() + 86_400_000),
    ]);
    await query("update target_status set phase = 'taken_down' where target_id = $1", [owner.targetId]);
    const ofRole = async (role: string) => kinds(await world.given.member(owner, role));
    expect(await ofRole('owner')).toEqual(['taken_down', 'credential_expiring', 'codes_undelivered']);
    expect(await ofRole('viewer')).toEqual(['taken_down', 'credential_expiring', 'codes_undelivered']);
    expect(await ofRole('publisher')).toEqual(['taken_down', 'credential_expiring']);
    expect(await ofRole('support')).toEqual(['taken_down', 'codes_undelivered']);
    expect(await kinds({ token: await world.given.token(owner, ['extensions:read']) })).toEqual(['taken_down']);
    const scoped = { name: 'CI', scopes: ['*'], extensionIds: [mine] };
    const { token } = expectStatus(
      await world.api.as({ cookie: owner.cookie }).post('/access-tokens', scoped),
      201,
    ).body;
    expect(await overview({ token })).toMatchObject({ needs: [], items: [{ id: mine }], nextCursor: null });
  });
});
