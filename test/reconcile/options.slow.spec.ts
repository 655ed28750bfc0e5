import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author, stepsOf } from './author.js';

describe('the settings of a target', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const targetPath = ({ mine }: Author, more = '') => `/extensions/${mine.extensionId}/targets/${mine.targetId}${more}`;
  const post = ({ mine }: Author, path: string, body?: object) => world.api.as(mine).post(path, body);
  const approved = async (): Promise<Author> => {
    const author = await Author.in(world);
    await author.set({ release: 'manual' });
    await author.push('1.0.0');
    await author.reconcile();
    await author.act('approve');
    return author;
  };

  describe('a manual release', () => {
    it('leaves an approved version unreleased until it is requested, and then releases it once', async () => {
      const author = await approved();
      expect(await author.reconcile()).toMatchObject({
        phase: 'approved',
        message: 'Version 1.0.0 is approved; it is released on request.',
      });
      await world.forward(2 * DAY);
      await world.tick();
      expect(await author.status()).toMatchObject({ phase: 'approved', liveVersion: null });
      for (const _ of ['once', 'twice']) expectStatus(await post(author, targetPath(author, '/release')), 200);
      await world.tick();
      await world.forward(DAY);
      await world.tick();
      expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.0.0' });
      expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1 });
    });

    it('can be requested while the version is in review', async () => {
      const author = await Author.in(world);
      await author.set({ release: 'manual' });
      await author.push('1.0.0');
      await author.reconcile();
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.act('approve');
      await author.reconcile();
      await author.reconcile();
      expect(await author.status()).toMatchObject({ liveVersion: '1.0.0' });
    });

    it('is for one version: the next one needs its own request', async () => {
      const author = await approved();
      await author.reconcile();
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.reconcile();
      await author.push('1.1.0');
      await author.reconcile();
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'approved' });
      expect(await author.status()).toMatchObject({ liveVersion: '1.0.0' });
    });

    it('can be requested while the store fails', async () => {
      const author = await approved();
      await author.reconcile();
      await author.fault('fetchStatus', { kind: 'status', status: 503 });
      expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.reconcile();
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    });

    it.each(['reject', 'cancel'] as const)('ends with its submission: %s', async (action) => {
      const author = await Author.in(world);
      await author.set({ release: 'manual' });
      await author.push('1.0.0');
      await author.reconcile();
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.act(action);
      await author.reconcile();
      await world.forward(MINUTE);
      await author.set({ enabled: false });
      await author.set({ enabled: true });
      await author.reconcile();
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'approved' });
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.reconcile();
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    });

    it('is withdrawn when the setting changes to auto and back', async () => {
      const author = await Author.in(world);
      await author.set({ release: 'manual' });
      await author.push('1.0.0');
      await author.reconcile();
      expectStatus(await post(author, targetPath(author, '/release')), 200);
      await author.set({ release: 'auto' });
      await author.set({ release: 'manual' });
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'approved' });
    });

    it.each<[string, object, string]>([
      ['where versions are released by themselves', {}, 'releases approved versions automatically'],
      ['where nothing is pinned', { release: 'manual' }, 'no version is pinned'],
    ])('is refused %s', async (_, settings, why) => {
      const author = await Author.in(world);
      if (Object.keys(settings).length > 0) await author.set(settings);
      const answer = await post(author, targetPath(author, '/release'));
      expect(answer).toMatchObject({ status: 409, body: { code: 'nothing_to_release' } });
      expect(answer.body.detail).toContain(why);
    });
  });

  describe('a pause', () => {
    it('keeps Pierhead from changing anything at the store, which it still checks', async () => {
      const author = await Author.in(world);
      for (const _ of ['once', 'twice']) expectStatus(await post(author, targetPath(author, '/pause')), 200);
      await author.push('1.0.0');
      const result = await author.reconcile();
      expect(result).toMatchObject({ phase: 'queued', steps: [{ step: 'wait' }] });
      expect(result.message).toContain('The target is paused.');
      expect(await author.counters()).toMatchObject({ uploads: 0 });
      expect(await author.target()).toMatchObject({
        paused: true,
        status: { checkedAt: world.clock.now().toISOString() },
      });

      expectStatus(await post(author, targetPath(author, '/resume')), 200);
      expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
      const kinds = (await author.events()).map(({ kind }) => kind).filter((kind) => /paused|resumed/.test(kind));
      expect(kinds).toEqual(['target_paused', 'target_resumed']);
    });
  });

  describe('a setting that the store does not support', () => {
    it.each<[string, string, object]>([
      ['channel', 'chrome', { channel: 'unlisted' }],
      ['releaseNotes', 'chrome', { releaseNotes: 'New.' }],
      ['releaseNotes', 'edge', { releaseNotes: 'New.' }],
      ['reviewerNotes', 'chrome', { reviewerNotes: 'Log in as owl.' }],
      ['reviewerNotes', 'safari', { reviewerNotes: 'Log in as owl.' }],
      ['release', 'edge', { release: 'manual' }],
      ['rolloutPercent', 'edge', { rolloutPercent: 10 }],
      ['skipReview', 'edge', { skipReview: true }],
      ['onPending', 'edge', { onPending: 'replace' }],
      ['encryption', 'chrome', { encryption: 'exempt' }],
      ['encryption', 'firefox', { encryption: 'nonExempt' }],
      ['encryption', 'edge', { encryption: 'exempt' }],
    ])('is refused by name: %s at %s', async (field, store, settings) => {
      const owner = await world.given.tenant();
      const extensionId = await world.given.extension(owner);
      const targetId = await world.given.targetOf(owner, extensionId, store);
      const answer = await world.api.as(owner).patch(`/extensions/${extensionId}/targets/${targetId}`, settings);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
    });
  });

  describe('a share of the users', () => {
    it('is offered a version first, and can be raised but never lowered', async () => {
      const author = await Author.in(world, { published: '1.0.0', weeklyUsers: 20_000 });
      await author.set({ rolloutPercent: 10 });
      await author.push('1.1.0');
      await author.reconcile();
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'live', steps: [{ step: 'nothing' }] });
      /** What is shown of it: what the store says, whatever the target wants. */
      const offered = async (): Promise<readonly (number | null)[]> => {
        const { items } = expectStatus(await world.api.as(author.mine).get('/overview'), 200).body;
        return [(await author.status()).offeredPercent, items[0].targets[0].rollout?.percent ?? null];
      };
      expect(await offered()).toEqual([10, 10]);
      await author.set({ rolloutPercent: 50 });
      expect(await offered()).toEqual([10, 10]);
      expect(stepsOf(await author.reconcile())).toEqual(['rollout', 'nothing']);
      expect(await offered()).toEqual([50, 50]);
      await author.set({ rolloutPercent: 20 });
      expect(stepsOf(await author.reconcile())).toEqual(['nothing']);
      expect(await offered()).toEqual([50, 50]);
      await author.set({ rolloutPercent: 100 });
      expect(stepsOf(await author.reconcile())).toEqual(['rollout', 'nothing']);
      expect(await offered()).toEqual([null, null]);
      await author.set({ rolloutPercent: 99 });
      expect(stepsOf(await author.reconcile())).toEqual(['nothing']);
      expect(await offered()).toEqual([null, null]);
    });

    it('is all users again when the target names none', async () => {
      const author = await Author.in(world, { weeklyUsers: 20_000 });
      await author.set({ rolloutPercent: 10 });
      await author.push('1.0.0');
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
      await author.set({ rolloutPercent: null });
      expect(stepsOf(await author.reconcile())).toEqual(['rollout', 'nothing']);
      expect((await author.item()).published).toMatchObject({ deployPercentage: 100 });
    });

    it('is requested once of a store that shows it late, and not lowered meanwhile', async () => {
      const author = await Author.in(world, { published: '1.0.0', weeklyUsers: 20_000 });
      await author.set({ rolloutPercent: 10 });
      await author.push('1.1.0');
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
      const distributionChannels = [{ crxVersion: '1.1.0', deployPercentage: 10 }];
      const { itemId } = author.mine;
      const before = { itemId, publishedItemRevisionStatus: { state: 'PUBLISHED', distributionChannels } };
      await author.fault('fetchStatus', { kind: 'body', body: JSON.stringify(before), times: 3 });
      await author.set({ rolloutPercent: 50 });
      expect(stepsOf(await author.reconcile())).toEqual(['rollout', 'nothing']);
      await author.set({ rolloutPercent: 30 });
      expect(stepsOf(await author.reconcile())).toEqual(['nothing']);
    });
  });

  describe('a share of the users that the store refuses', () => {
    it('is reported once, without a second live event, until the store accepts it', async () => {
      const author = await Author.in(world, { published: '1.0.0', weeklyUsers: 20_000 });
      await author.set({ rolloutPercent: 10 });
      await author.push('1.1.0');
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
      await author.dashboard({ weeklyUsers: 50 });
      await author.set({ rolloutPercent: 50 });
      expect(await author.reconcile()).toMatchObject({
        phase: 'action_required',
        message: expect.stringContaining("Set the target's rolloutPercent to at most the current share"),
        steps: [{ step: 'rollout' }],
      });
      const told = await author.history();
      for (const _ of ['twice', 'three times']) {
        await world.forward(DAY);
        expect(await author.reconcile()).toMatchObject({ phase: 'action_required', steps: [{ step: 'rollout' }] });
      }
      expect(await author.history()).toEqual(told);
      for (const settings of [{ rolloutPercent: 60 }, { enabled: false }, { enabled: true }]) {
        await author.set(settings);
        if (settings.enabled !== false) expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
      }
      expect(await author.notifications()).toEqual(['live 1.1.0', 'action_required 1.1.0']);

      await author.dashboard({ weeklyUsers: 20_000 });
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
      expect(await author.notifications()).toEqual(['live 1.1.0', 'action_required 1.1.0', 'live 1.1.0']);
    });
  });

  describe('an older version', () => {
    const back = { to: '1.0.0', version: '1.1.1', reason: 'It lost tabs.' };
    const liveTwice = async (): Promise<Author> => {
      const author = await Author.in(world);
      for (const version of ['1.0.0', '1.1.0']) {
        await author.push(version);
        await author.reconcile();
        await author.act('approve');
        await author.reconcile();
      }
      return author;
    };

    it('is brought back under a new number, without a review and once', async () => {
      const author = await liveTwice();
      const { body } = expectStatus(await post(author, targetPath(author, '/rollback'), back), 201);
      expect(body).toMatchObject({ version: '1.1.1', store: 'chrome', rollbackOf: '1.0.0', sha256: null });
      const asked = await author.target();
      expect(asked.display).toMatchObject({ word: 'waiting', tone: 'underway' });
      expect(asked.status.message).toBe('Version 1.1.1 is pinned; Pierhead will check the store shortly.');
      expect(stepsOf(await author.reconcile())).toContain('rollback');
      await world.forward(5 * MINUTE);
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
      expect(await author.status()).toMatchObject({ liveVersion: '1.1.1', desiredVersion: '1.1.1' });
      expect(await author.counters()).toMatchObject({ uploads: 2, submissions: 2 });
    });

    it('is refused under a number that is not higher or is already used', async () => {
      const author = await liveTwice();
      const path = targetPath(author, '/rollback');
      for (const version of ['1.1.0', '1.0.5'])
        expect(await post(author, path, { ...back, version })).toMatchObject({
          status: 409,
          body: { code: 'version_not_newer' },
        });
      expectStatus(await post(author, path, back), 201);
      for (const version of ['1.1.1', '1.1.1.0'])
        expect(await post(author, path, { ...back, version })).toMatchObject({
          status: 409,
          body: { code: 'version_conflict' },
        });
    });

    it('is refused when it is not below the live version or, if that is unknown, below its new number', async () => {
      const refused = (to: string, than: string) => ({
        status: 409,
        body: {
          code: 'rollback_not_older',
          detail: `Chrome Web Store cannot be rolled back to version ${to}. Name a version below ${than} that was live there.`,
        },
      });
      const author = await liveTwice();
      const path = targetPath(author, '/rollback');
      for (const to of ['1.1.0', '1.1', '1.1.1', '5.0.0'])
        expect(await post(author, path, { ...back, to })).toMatchObject(refused(to, '1.1.0'));
      const unseen = await Author.in(world);
      for (const to of ['1.1.1', '5.0.0'])
        expect(await post(unseen, targetPath(unseen, '/rollback'), { ...back, to })).toMatchObject(
          refused(to, '1.1.1'),
        );
      expect((await author.status()).desiredVersion).toBe('1.1.0');
    });

    it('is refused under any spelling of a number whose package the store has', async () => {
      const author = await liveTwice();
      await author.push('1.2.0');
      await author.fault('publish', { kind: 'status', status: 500 });
      await author.reconcile();
      for (const version of ['1.2.0', '1.2'])
        expect(await post(author, targetPath(author, '/rollback'), { ...back, version })).toMatchObject({
          status: 409,
          body: { code: 'version_conflict' },
        });
    });

    it('is brought back under the number of a package that the store does not have, however it is spelled', async () => {
      const author = await liveTwice();
      await author.push('1.2.0');
      const answer = await post(author, targetPath(author, '/rollback'), { ...back, version: '1.2' });
      expect(expectStatus(answer, 201).body).toMatchObject({ version: '1.2.0', store: 'chrome', rollbackOf: '1.0.0' });
      expect(stepsOf(await author.reconcile())).toContain('rollback');
      await world.forward(5 * MINUTE);
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.2' });
      expect(await author.counters()).toMatchObject({ uploads: 2 });
    });

    it('is refused where the store does not support it', async () => {
      const owner = await world.given.tenant();
      const extensionId = await world.given.extension(owner);
      const targetId = await world.given.targetOf(owner, extensionId, 'edge');
      const answer = await world.api.as(owner).post(`/extensions/${extensionId}/targets/${targetId}/rollback`, back);
      expect(answer).toMatchObject({ status: 409, body: { code: 'rollback_not_supported' } });
    });
  });

  describe('an additional target', () => {
    it('is driven like the first, and is gone when it is deleted', async () => {
      const author = await Author.in(world);
      const { itemId } = await world.control.chromeItem({ publisherId: author.mine.publisherId });
      const settings = { store: 'chrome', storeItemId: itemId, credentialId: author.mine.credentialId, enabled: true };
      const path = `/extensions/${author.mine.extensionId}/targets`;
      const made = expectStatus(await post(author, path, settings), 201).body;
      for (const target of [author.mine.targetId, made.id])
        expectStatus(await author.push('1.0.0', 'Night Owl', { target }), 201);
      expectStatus(await post(author, `/extensions/${author.mine.extensionId}/reconcile`), 200);
      expect((await world.control.state(itemId)).counters).toMatchObject({ uploads: 1, submissions: 1 });
      expect((await author.item()).counters).toMatchObject({ uploads: 1, submissions: 1 });

      const own = world.api.as(author.mine);
      expectStatus(await own.delete(`${path}/${made.id}`), 204);
      expect(await own.get(`${path}/${made.id}`)).toMatchObject({ status: 404, body: { code: 'target_not_found' } });
      expect(await own.delete(`${path}/${made.id}`)).toMatchObject({ status: 404 });
      await world.control.act(itemId, 'approve');
      await world.forward(DAY);
      await world.tick();
      expect((await author.target()).status.phase).toBe('in_review');
    });

    it('added when its store has no other target, knows what is pinned for it', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      expectStatus(await world.api.as(author.mine).delete(targetPath(author)), 204);
      const path = `/extensions/${author.mine.extensionId}/targets`;
      const settings = { store: 'chrome', storeItemId: author.mine.itemId, credentialId: author.mine.credentialId };
      const { status } = expectStatus(await post(author, path, settings), 201).body;
      expect(status).toMatchObject({ phase: 'disabled', desiredVersion: '1.0.0' });
    });

    it('for the same item of the store is refused, when added and when changed', async () => {
      const author = await Author.in(world);
      const path = `/extensions/${author.mine.extensionId}/targets`;
      const same = { store: 'chrome', storeItemId: author.mine.itemId };
      const duplicate = { status: 409, body: { code: 'duplicate_target' } };
      expect(await post(author, path, same)).toMatchObject(duplicate);
      const { id } = expectStatus(await post(author, path, { store: 'chrome' }), 201).body;
      const change = { storeItemId: author.mine.itemId };
      expect(await world.api.as(author.mine).patch(`${path}/${id}`, change)).toMatchObject(duplicate);
    });
  });

  it('reports once that a review takes more than ten days', async () => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    await author.reconcile();
    for (let day = 1; day <= 13; day += 1) {
      await world.forward(DAY + MINUTE);
      await world.tick();
    }
    const told = (await author.events()).filter(({ kind }) => kind === 'stuck_in_review');
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain('Version 1.0.0 has been in review since');
  });

  it('does not call a store with a throttled credential, not even for its other items', async () => {
    const author = await Author.in(world);
    const other = await world.given.extension(author.mine);
    const { itemId } = await world.control.chromeItem({ publisherId: author.mine.publisherId });
    const targetId = await world.given.targetOf(author.mine, other, 'chrome');
    const settings = { storeItemId: itemId, credentialId: author.mine.credentialId, enabled: true };
    expectStatus(await world.api.as(author.mine).patch(`/extensions/${other}/targets/${targetId}`, settings), 200);
    await author.push('1.0.0');
    await author.fault('fetchStatus', { kind: 'status', status: 429, headers: { 'Retry-After': '3600' } });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    const asked = await author.asked();
    expectStatus(await post(author, `/extensions/${other}/reconcile`), 200);
    expect(await author.asked()).toEqual(asked);
    await author.rotate();
    const answer = await post(author, `/extensions/${other}/reconcile`);
    expect(answer.body.targets[0]).toMatchObject({ phase: 'idle' });
  });

  describe('the sources of a package', () => {
    it('are kept with its artifact, and replaced by others', async () => {
      const author = await Author.in(world);
      const { id } = (await author.push('1.0.0')).body.artifact;
      const send = (bytes: string) =>
        world.api
          .as(author.mine)
          .post(`/artifacts/${id}/source`, undefined, { raw: bytes, headers: { 'content-type': 'application/zip' } });
      const first = expectStatus(await send('PK\u0003\u0004 one'), 200).body;
      const second = expectStatus(await send('PK\u0003\u0004 two'), 200).body;
      expect(first.sourceSha256).toMatch(/^[0-9a-f]{64}$/);
      expect(second.sourceSha256).not.toBe(first.sourceSha256);
      expect(await send('no zip')).toMatchObject({ status: 422, body: { code: 'invalid_archive' } });
      expect((await world.api.as(author.mine).get(`/artifacts/${id}`)).body).toEqual(second);
    });
  });

  it('shows everyone what each store supports and how to obtain its credentials', async () => {
    const { body } = expectStatus(await world.api.get('/stores'), 200);
    expect(body.items.map(({ id }: { readonly id: string }) => id)).toEqual(['chrome', 'firefox', 'edge', 'safari']);
    const [chrome] = body.items;
    expect(chrome.capabilities).toMatchObject({ requiresArtifact: true, rollback: true });
    expect(chrome.credentials.forms[0].map(({ name }: { readonly name: string }) => name)).toEqual([
      'publisherId',
      'serviceAccount.client_email',
      'serviceAccount.private_key',
    ]);
    expect(chrome.credentials.forms[0].map(({ file }: { readonly file?: object }) => file)).toEqual([
      undefined,
      { name: '*.json', member: 'client_email' },
      { name: '*.json', member: 'private_key' },
    ]);
    for (const { steps, item } of body.items) {
      expect(steps.map(({ number }: { readonly number: number }) => number)).toEqual(
        steps.map((_: unknown, at: number) => at + 1),
      );
      for (const source of [...item.urls, ...item.fields.map(({ pattern }: { readonly pattern: string }) => pattern)])
        expect(new RegExp(source).source).toBe(source);
    }
  });
});
