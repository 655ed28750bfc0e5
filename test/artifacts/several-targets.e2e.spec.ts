import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { pkgOf } from '../support/apple-packages.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';

describe('an extension with a stable and a beta item at one store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** Its author, and what the two items and their targets have. */
  const author = async () => {
    const owner = await world.given.publishable();
    const { extensionId, credentialId, publisherId } = owner;
    const api = world.api.as(owner);
    const targets = `/extensions/${extensionId}/targets`;
    const { itemId } = await world.control.chromeItem({ publisherId });
    const settings = { store: 'chrome', storeItemId: itemId, credentialId, enabled: true };
    const { id } = expectStatus(await api.post(targets, settings), 201).body;
    const pusher = new Pusher(world, owner);
    const status = async (target: string) => expectStatus(await api.get(`${targets}/${target}`), 200).body.status;
    return {
      api,
      owner,
      pusher,
      stable: { id: owner.targetId, item: owner.itemId },
      beta: { id: id as string, item: itemId },
      status,
      set: async (target: string, changes: object) =>
        expectStatus(await api.patch(`${targets}/${target}`, changes), 200),
      pin: (artifactId: string, body: object) => api.post(`/artifacts/${artifactId}/pin`, body),
      check: (query: object, zip: Buffer, version: string) =>
        api.post(`/artifacts/check?${new URLSearchParams({ extension: extensionId, ...query }).toString()}`, {
          manifest: manifestOf(version),
          size: zip.length,
          sha256: sha256Of(zip),
        }),
      rollBack: (target: string, to: string, version: string) =>
        api.post(`${targets}/${target}/rollback`, { to, version, reason: 'It counts wrong.' }),
      events: async (kind: string) =>
        expectStatus(await api.get(`/extensions/${extensionId}/events?limit=100`), 200).body.items.filter(
          (one: { readonly kind: string }) => one.kind === kind,
        ),
      /** All that a push could change. */
      state: async () => ({
        artifacts: await pusher.list(),
        targets: expectStatus(await api.get(targets), 200).body,
      }),
      /** What an item was sent, whether or not it is published. */
      received: async (item: string): Promise<string | null> => {
        const { draft, submitted } = await world.control.state(item);
        return (submitted?.package ?? draft)?.sha256 ?? null;
      },
      approve: async (item: string): Promise<void> => {
        await world.control.act(item, 'approve');
        await world.forward(HOUR);
        await pusher.reconcile();
      },
    };
  };

  const [NOT_FOUND, ELSEWHERE, SEVERAL] = [
    { status: 404, body: { code: 'target_not_found' } },
    {
      status: 422,
      body: {
        code: 'target_elsewhere',
        detail: 'The target is at Chrome Web Store, and not at Firefox Add-ons. Name one of the two.',
      },
    },
    { status: 409, body: { code: 'several_targets' } },
  ];

  it('keeps the beta away from the stable item', async () => {
    const { pusher, stable, beta, status, received } = await author();
    const zip = await packageOf('1.1.0', { name: 'Night Owl (beta)' });
    const { artifact } = expectStatus(await pusher.push('1.1.0', zip, { target: beta.id }), 201).body;
    expect(artifact).toMatchObject({ store: 'chrome', targetId: beta.id });
    await pusher.reconcile();
    expect(await received(beta.item)).toBe(sha256Of(zip));
    expect(await received(stable.item)).toBeNull();
    expect(await status(beta.id)).toMatchObject({ desiredVersion: '1.1.0', phase: 'in_review' });
    expect(await status(stable.id)).toMatchObject({ desiredVersion: null, phase: 'idle' });
    expect(await pusher.list()).toEqual([artifact]);
  });

  it.each<Readonly<Record<string, string>>>([{ store: 'chrome' }, {}])(
    'is asked which of them a package is for that is pushed with %j, and nothing changes',
    async (query) => {
      const { api, pusher, stable, beta, state, pin, check, received } = await author();
      const held = await pusher.pushed('1.0.0', {}, { target: beta.id });
      await pusher.reconcile();
      const before = await state();
      const zip = await packageOf('1.1.0');
      const refused = {
        ...SEVERAL,
        body: {
          code: 'several_targets',
          detail: expect.stringMatching(
            new RegExp(`^Chrome Web Store has 2 enabled targets: ${stable.item} \\(.+\\) and ${beta.item} \\(.+\\)\\.`),
          ),
          targets: [
            { id: stable.id, storeItemId: stable.item, channel: null },
            { id: beta.id, storeItemId: beta.item, channel: null },
          ],
        },
      };
      expect(await pusher.push('1.1.0', zip, query)).toMatchObject(refused);
      expect(await check(query, zip, '1.1.0')).toMatchObject(refused);
      expect(await pin(held.id, query)).toMatchObject(refused);
      expect(await state()).toEqual(before);
      await pusher.reconcile();
      expect(await received(stable.item)).toBeNull();
      expect(expectStatus(await api.get(`/artifacts?extension=${pusher.extension}`), 200).body.artifacts).toEqual([
        held,
      ]);
    },
  );

  it('is told of a target that there is not, or that is at another store, and nothing changes', async () => {
    const { pusher, beta, state, pin, check } = await author();
    const held = await pusher.pushed('1.0.0', {}, { target: beta.id });
    const stranger = await author();
    const before = await state();
    const zip = await packageOf('1.1.0');
    const faults = [
      [{ target: randomUUID() }, NOT_FOUND],
      [{ target: stranger.beta.id }, NOT_FOUND],
      [{ store: 'firefox', target: beta.id }, ELSEWHERE],
      [{ target: 'beta' }, NOT_FOUND],
    ] as const;
    for (const [named, problem] of faults) {
      expect(await pusher.push('1.1.0', zip, named)).toMatchObject(problem);
      expect(await check(named, zip, '1.1.0')).toMatchObject(problem);
      expect(await pin(held.id, named)).toMatchObject(problem);
    }
    expect(await state()).toEqual(before);
  });

  it('sends each item its own package of one version, whichever is pushed last', async () => {
    const { pusher, stable, beta, received } = await author();
    const [one, other] = [await packageOf('1.0.0'), await packageOf('1.0.0', { name: 'Night Owl (beta)' })];
    expectStatus(await pusher.push('1.0.0', one, { target: stable.id, store: 'chrome' }), 201);
    expectStatus(await pusher.push('1.0.0', other, { target: beta.id }), 201);
    expectStatus(await pusher.push('1.0.0', one, { target: stable.id }), 200);
    await pusher.reconcile();
    expect([await received(stable.item), await received(beta.item)]).toEqual([sha256Of(one), sha256Of(other)]);
    const changed = await packageOf('1.0.0', { name: 'Changed' });
    expect(await pusher.push('1.0.0', changed, { target: beta.id })).toMatchObject({
      status: 409,
      body: { code: 'version_conflict' },
    });
  });

  it('promotes the beta to the stable item, which is checked as a push would be', async () => {
    const { pusher, stable, beta, pin, check, received } = await author();
    const zip = await packageOf('1.1.0');
    const { artifact } = expectStatus(await pusher.push('1.1.0', zip, { target: beta.id }), 201).body;
    expect((await check({ target: beta.id }, zip, '1.1.0')).body.deduplicated).toBe(true);
    expect((await check({ target: stable.id }, zip, '1.1.0')).body.deduplicated).toBe(false);
    const promoted = expectStatus(await pin(artifact.id, { target: stable.id }), 201).body.artifact;
    expect(promoted).toMatchObject({ version: '1.1.0', store: 'chrome', targetId: stable.id, sha256: artifact.sha256 });
    expectStatus(await pin(artifact.id, { store: 'chrome', target: stable.id }), 200);
    await pusher.reconcile();
    expect([await received(stable.item), await received(beta.item)]).toEqual([sha256Of(zip), sha256Of(zip)]);
  });

  it('rolls one of them back without the other', async () => {
    const { pusher, stable, beta, status, approve, rollBack } = await author();
    for (const version of ['1.0.0', '1.1.0'])
      for (const { id, item } of [stable, beta]) {
        await pusher.push(version, await packageOf(version), { target: id });
        await pusher.reconcile();
        await approve(item);
      }
    const before = await status(beta.id);
    expect(before).toMatchObject({ liveVersion: '1.1.0' });
    const { body } = expectStatus(await rollBack(stable.id, '1.0.0', '1.1.1'), 201);
    expect(body).toMatchObject({ store: 'chrome', targetId: stable.id, rollbackOf: '1.0.0' });
    expect(await status(beta.id)).toEqual(before);
    await pusher.reconcile();
    expect(await status(stable.id)).toMatchObject({ desiredVersion: '1.1.1', liveVersion: '1.1.1' });
    expect(await status(beta.id)).toMatchObject({ desiredVersion: '1.1.0', liveVersion: '1.1.0' });
  });

  it('need not name one while only one is enabled, and keeps what was pushed for the other until it is', async () => {
    const { pusher, stable, beta, set, status, received } = await author();
    await set(beta.id, { enabled: false });
    const forBeta = await packageOf('1.0.0', { name: 'Night Owl (beta)' });
    expectStatus(await pusher.push('1.0.0', forBeta, { target: beta.id }), 201);
    const artifact = await pusher.pushed('1.0.0', {}, { store: 'chrome' });
    expect(artifact).toMatchObject({ store: 'chrome', targetId: null });
    await pusher.reconcile();
    expect(await received(beta.item)).toBeNull();
    await set(beta.id, { enabled: true });
    await pusher.reconcile();
    expect(await received(stable.item)).toBe(artifact.sha256);
    expect(await received(beta.item)).toBe(sha256Of(forBeta));
    expect(await status(beta.id)).toMatchObject({ submittedVersion: '1.0.0' });
  });

  it('gives an item no other package of a version that it has, whether it is named alone or with its store', async () => {
    const { pusher, stable, beta, set, approve } = await author();
    await set(beta.id, { enabled: false });
    await pusher.pushed('1.0.0', {}, { store: 'chrome' });
    await pusher.reconcile();
    const conflict = { status: 409, body: { code: 'version_conflict' } };
    const other = await packageOf('1.0.0', { name: 'Another' });
    expect(await pusher.push('1.0.0', other, { target: stable.id })).toMatchObject(conflict);
    await approve(stable.item);
    await pusher.pushed('1.1.0', {}, { target: stable.id });
    await pusher.reconcile();
    expect(
      await pusher.push('1.1.0', await packageOf('1.1.0', { name: 'Another' }), { store: 'chrome' }),
    ).toMatchObject(conflict);
  });

  it('is not asked at the App Store which of two targets an app is for, where only one has its platform', async () => {
    const { api, pusher } = await author();
    const targets = `/extensions/${pusher.extension}/targets`;
    const mac = await world.given.targetOf(pusher.mine, pusher.extension, 'safari');
    expectStatus(await api.patch(`${targets}/${mac}`, { platforms: ['macos'], enabled: true }), 200);
    const ios = { store: 'safari', platforms: ['ios'], enabled: true };
    const { id } = expectStatus(await api.post(targets, ios), 201).body;
    const app = pkgOf({ version: '1.0.0', build: '1' });
    const pushed = await pusher.sends({ version: '1.0.0', store: 'safari' }, app, 'application/octet-stream');
    expect(expectStatus(pushed, 201).body.artifact).toMatchObject({
      store: 'safari',
      targetId: null,
      platform: 'macos',
    });
    expect(await pusher.push('1.1.0', undefined, { store: 'safari' })).toMatchObject(SEVERAL);
    const bare = expectStatus(await pusher.push('1.1.0', undefined, { target: id }), 201).body.artifact;
    expect(bare).toMatchObject({ store: 'safari', targetId: id });
  });

  it('raises an alarm when the stable item serves what was pushed for the beta', async () => {
    const { pusher, stable, beta, approve, events } = await author();
    await pusher.pushed('1.0.0', {}, { target: stable.id });
    await pusher.reconcile();
    await approve(stable.item);
    await pusher.pushed('1.1.0', {}, { target: beta.id });
    await world.control.patch(stable.item, { published: '1.1.0' });
    await world.forward(DAY);
    await pusher.reconcile();
    expect(await events('unexpected_version')).toMatchObject([{ targetId: stable.id, version: '1.1.0' }]);
    expect(await events('pinned')).toMatchObject([{ targetId: beta.id }, { targetId: stable.id }]);
  });

  it('waits for an approval of each item alone', async () => {
    const { owner, pusher, stable, beta, received } = await author();
    const bob = await world.given.member(owner, 'publisher');
    const { token } = await world.given.loggedIn(owner);
    const approval = { approval: { required: true } };
    expectStatus(await world.api.as({ token }).patch(`/extensions/${owner.extensionId}`, approval), 200);
    for (const { id } of [beta, stable])
      await pusher.pushed('1.1.0', { name: id === beta.id ? 'Beta' : 'Stable' }, { target: id });
    const path = `/approvals?extension=${owner.extensionId}`;
    const { items } = expectStatus(await world.api.as(owner).get(path), 200).body;
    expect(items).toMatchObject([
      { store: 'chrome', targetId: stable.id },
      { store: 'chrome', targetId: beta.id },
    ]);
    expectStatus(await world.api.as({ cookie: bob.cookie }).post(`/approvals/${items[1].id}/approve`), 200);
    await pusher.reconcile();
    expect(await received(beta.item)).toBe(items[1].sha256);
    expect(await received(stable.item)).toBeNull();
    expect(expectStatus(await world.api.as(owner).get(path), 200).body.items).toEqual([items[0]]);
  });
});
