import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author, stepsOf } from './author.js';

describe('publishing to the Chrome Web Store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('drives a pushed version through the review to live on request', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.1.0');

    const sent = await author.reconcile();
    expect(stepsOf(sent)).toEqual(['upload', 'submit', 'wait']);
    expect(sent).toMatchObject({ phase: 'in_review', store: 'chrome', targetId: author.mine.targetId });
    expect(await author.item()).toMatchObject({
      submitted: { package: { version: '1.1.0' }, state: 'PENDING_REVIEW' },
    });

    await author.act('approve');
    expect(stepsOf(await author.reconcile())).toEqual(['nothing']);
    expect(await author.status()).toMatchObject({
      phase: 'live',
      desiredVersion: '1.1.0',
      liveVersion: '1.1.0',
      submittedVersion: null,
      failures: 0,
    });
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1, submissions: 1, cancels: 0 });
  });

  it('drives it on its own schedule: at once, then when the review may have ended, then once a day', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.1.0');

    await world.tick();
    expect(await author.status()).toMatchObject({
      phase: 'in_review',
      submittedVersion: '1.1.0',
      liveVersion: '1.0.0',
    });
    const looks = (await author.counters()).fetchStatuses;
    await world.tick();
    expect((await author.counters()).fetchStatuses).toBe(looks);

    await author.act('approve');
    await world.forward(12 * MINUTE);
    await world.tick();
    expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0', submittedVersion: null });
    const { nextCheckAt, checkedAt } = await author.status();
    const pause = Date.parse(nextCheckAt ?? '') - Date.parse(checkedAt ?? '');
    expect(pause / DAY).toBeCloseTo(1, 0);
    expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1 });
  });

  it('looks at a review each minute while somebody waits, and at its own pace once nobody does', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.1.0');
    await world.tick();
    const looks = async (): Promise<number> => (await author.counters()).fetchStatuses;
    const before = await looks();
    const watch = async (): Promise<void> => {
      const viewer = await world.given.member(author.mine, 'viewer');
      const path = `/extensions/${author.mine.extensionId}/watch`;
      for (let time = 0; time < 2; time += 1) expectStatus(await world.api.as(viewer).post(path), 204);
    };
    await watch();
    await world.tick();
    expect(await looks()).toBe(before);
    for (let minute = 1; minute <= 5; minute += 1) {
      await world.forward(MINUTE);
      await watch();
      await world.tick();
      expect(await looks()).toBe(before + minute);
    }
    const { nextCheckAt, checkedAt } = await author.status();
    expect((Date.parse(nextCheckAt ?? '') - Date.parse(checkedAt ?? '')) / MINUTE).toBeLessThan(14);
    await author.act('approve');
    await world.forward(MINUTE);
    await watch();
    await world.tick();
    expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });
    await world.forward(MINUTE);
    await watch();
    const settled = await looks();
    await world.tick();
    expect(await looks()).toBe(settled);
  });

  it('does not forget an approval that a plan has read', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.1.0');
    await world.tick();
    expect(await author.plan()).toMatchObject({ phase: 'in_review' });
    const { nextCheckAt } = await author.status();
    expect(Date.parse(nextCheckAt ?? '')).toBeGreaterThan(world.clock.now().getTime());
    await author.act('approve');
    expect(await author.plan()).toMatchObject({ phase: 'live' });
    await world.tick();
    expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });
  });

  it('uploads the bytes that were pushed', async () => {
    const author = await Author.in(world);
    const { artifact } = (await author.push('1.0.0')).body;
    await author.reconcile();
    expect((await author.item()).lastUpload).toMatchObject({ sha256: artifact.sha256, size: artifact.size });
  });

  it('publishes the first version of an item that never had one', async () => {
    const author = await Author.in(world);
    expect(await author.reconcile()).toMatchObject({ phase: 'idle', message: 'No version is pinned yet.' });
    await author.push('1.0.0');
    expect(await author.status()).toMatchObject({
      phase: 'queued',
      message: 'Version 1.0.0 is pinned; Pierhead will check the store shortly.',
    });
    await author.reconcile();
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
  });

  it('continues with a newer version when the previous one is live', async () => {
    const author = await Author.in(world);
    for (const version of ['1.0.0', '1.0.1']) {
      await author.push(version);
      await author.reconcile();
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    }
    expect(await author.releases()).toEqual(['1.0.1 live', '1.0.0 superseded']);
    expect((await author.item()).history.map(({ version }) => version)).toEqual(['1.0.0', '1.0.1']);
  });

  it('keeps the warnings of the store in the timeline', async () => {
    const warnings = [{ reason: 'BROAD_HOSTS', description: 'Host access is broad.' }];
    const author = await Author.in(world, { warnings });
    await author.push('1.0.0');
    await author.reconcile();
    const messages = (await author.events()).map(({ message }) => message);
    expect(messages).toContain(
      'Chrome Web Store: Version 1.0.0 was sent for review. Chrome warns: BROAD_HOSTS: Host access is broad.',
    );
  });

  describe('what is reported', () => {
    it('is a timeline of every step and every change, with the answers of the store', async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      await author.push('1.1.0');
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
      expect(await author.history()).toEqual([
        'target_changed',
        'pinned',
        'phase_uploading',
        'step_done upload',
        'phase_submitting',
        'step_done submit',
        'phase_in_review',
        'phase_live',
      ]);
      const { extensionId, targetId } = author.mine;
      for (const event of (await author.events()).slice(2)) {
        expect(event).toMatchObject({ extensionId, targetId, version: '1.1.0' });
        expect(event.message).toMatch(/^Chrome Web Store: \S/);
        expect(event.data).toMatchObject({ raw: expect.objectContaining({ itemId: author.mine.itemId }) });
      }
      const [, , first] = await author.events();
      expect(first?.data).toMatchObject({ from: 'queued', to: 'uploading' });
    });

    it('has no event while nothing changes', async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      await author.push('1.1.0');
      await author.reconcile();
      const told = await author.events();
      await author.reconcile();
      await author.reconcile();
      expect(await author.events()).toEqual(told);
    });

    it('is a matrix of versions and targets', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      await author.reconcile();
      const { token, extensionId, targetId } = author.mine;
      const { body } = await world.api.as({ token }).get(`/extensions/${extensionId}/releases`);
      const at = world.clock.now().toISOString();
      const { artifacts } = (await world.api.as({ token }).get(`/artifacts?extension=${extensionId}`)).body;
      const artifactId = artifacts[0].id;
      const display = { word: 'in review', tone: 'underway', turn: 'store', progress: 3 };
      const own = { platform: null, artifactId, submittedByPierhead: true, refusal: null, rejection: null };
      const times = { pushedAt: at, submittedAt: at, decidedAt: null, liveAt: null };
      const release = { ...own, state: 'in_review', display, at, ...times };
      expect(body).toEqual({
        items: [{ version: '1.0.0', targets: [{ store: 'chrome', targetId, ...release, storeIds: {} }] }],
        nextCursor: null,
      });
      expect(artifacts).toMatchObject([{ pushedBy: 'CI', notes: null, reviewerNotes: null, pinnedAt: at }]);
    });

    it("has the store's own words about what it refused", async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      await author.push('1.1.0');
      await author.fault('upload', { kind: 'status', status: 400 });
      await author.reconcile();
      const { token, extensionId } = author.mine;
      const { items } = (await world.api.as({ token }).get(`/extensions/${extensionId}/releases`)).body;
      const failed = (await author.events()).find(({ kind }) => kind === 'step_failed');
      expect(failed?.message).toContain(items[0].targets[0].refusal);
      expect(items[0].targets[0].refusal).not.toBe('');
    });

    it('can be asked for a kind, a target or a version alone', async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      for (const version of ['1.1.0', '1.2.0']) {
        await author.push(version);
        await author.reconcile();
      }
      const told = await author.events();
      const { token, extensionId, targetId } = author.mine;
      const ask = async (search: string) =>
        (
          await world.api.as({ token }).get(`/extensions/${extensionId}/events?limit=100&${search}`)
        ).body.items.toReversed();
      expect(await ask('kind=pinned')).toEqual(told.filter(({ kind }) => kind === 'pinned'));
      expect(await ask(`targetId=${targetId}`)).toEqual(told.filter((event) => event.targetId === targetId));
      expect(await ask('version=1.1.0')).toEqual(told.filter(({ version }) => version === '1.1.0'));
      expect(await ask(`version=1.2.0&kind=pinned`)).toHaveLength(1);
      expect(await ask('targetId=none')).toEqual([]);
      expect(await ask('kind=nothing%20of%20the%20sort')).toEqual([]);
    });

    it.each(['events', 'releases'])('is paged without gaps, newest first (%s)', async (list) => {
      const author = await Author.in(world);
      for (const version of ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4']) {
        await author.push(version);
        await author.fault('upload', { kind: 'drop-before' });
        await author.reconcile();
      }
      const get = async (query: object) => {
        const search = new URLSearchParams({ ...query }).toString();
        const { token, extensionId } = author.mine;
        return (await world.api.as({ token }).get(`/extensions/${extensionId}/${list}?${search}`)).body;
      };
      const whole = await get({ limit: 100 });
      expect(whole.nextCursor).toBeNull();
      const items: unknown[] = [];
      let page = await get({ limit: 2 });
      while (page.nextCursor !== null) {
        expect(page.items).toHaveLength(2);
        items.push(...page.items);
        page = await get({ limit: 2, cursor: page.nextCursor });
      }
      items.push(...page.items);
      expect(items).toEqual(whole.items);
      expect(items.length).toBeGreaterThanOrEqual(5);
      expect(await get({ cursor: 'not one of ours' })).toMatchObject({ code: 'invalid_request' });
    });
  });

  describe('the dry run', () => {
    it('shows the next step after really asking the store, and changes nothing', async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      await author.reconcile();
      await author.push('1.1.0');
      const before = { events: await author.events(), target: await author.target(), asked: await author.asked() };

      expect(await author.plan()).toMatchObject({
        targetId: author.mine.targetId,
        store: 'chrome',
        phase: 'uploading',
        step: 'upload',
        because: 'Version 1.1.0 is pinned, and the store does not have it.',
      });
      expect((await author.asked()).slice(before.asked.length)).toEqual(['fetchStatus']);
      expect(await author.events()).toEqual(before.events);
      expect(await author.target()).toEqual(before.target);
      expect(await author.releases()).toEqual([]);
      expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0 });
    });

    it('shows what pinning another artifact would lead to, and pins nothing', async () => {
      const author = await Author.in(world, { published: '1.0.0' });
      await author.push('1.0.0');
      await author.reconcile();
      const { artifact } = (await author.push('1.1.0', 'Night Owl', { store: 'firefox' })).body;

      expect(await author.plan()).toMatchObject({ phase: 'live', step: 'nothing' });
      expect(await author.plan(`?artifact=${artifact.id}`)).toMatchObject({
        phase: 'uploading',
        step: 'upload',
        because: 'Version 1.1.0 is pinned, and the store does not have it.',
      });
      await author.set({ enabled: false });
      expect(await author.plan(`?artifact=${artifact.id}`)).toMatchObject({ phase: 'disabled', step: 'nothing' });
      expect(await author.status()).toMatchObject({ phase: 'disabled', desiredVersion: '1.0.0' });
    });

    it("plans with no artifact of another extension, nor of another tenant's", async () => {
      const author = await Author.in(world);
      const [stranger, { token, extensionId }] = [await Author.in(world), author.mine];
      const other = expectStatus(await world.api.as({ token }).post('/extensions', { name: 'Day Owl' }), 201).body;
      const own = (await author.push('1.0.0')).body.artifact.id;
      const theirs = (await stranger.push('1.0.0')).body.artifact.id;
      const planOf = (extension: string, artifact: string) =>
        world.api.as({ token }).get(`/extensions/${extension}/next-steps?artifact=${artifact}`);
      const missing = { status: 404, body: { code: 'artifact_not_found' } };
      expect(await planOf(other.id, own)).toMatchObject(missing);
      expect(await planOf(extensionId, theirs)).toMatchObject(missing);
      expect(await planOf(extensionId, 'not an id')).toMatchObject(missing);
      expect(await planOf(extensionId, own)).toMatchObject({ status: 200 });
    });

    it('sees what happened at the store since the last check, without recording it', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      await author.reconcile();
      await author.act('approve');
      expect(await author.plan()).toMatchObject({ phase: 'live', step: 'nothing' });
      expect(await author.status()).toMatchObject({ phase: 'in_review', liveVersion: null });
    });

    it('shows the effect of a failure at the store', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      await author.fault('fetchStatus', { kind: 'status', status: 500, times: 1 });
      expect(await author.plan()).toMatchObject({ phase: 'backing_off', step: 'wait' });
      await world.control.account(author.mine.publisherId, 'revoke');
      expect(await author.plan()).toMatchObject({ phase: 'action_required', step: 'ask_human' });
      expect(await author.status()).toMatchObject({ phase: 'queued', failures: 0 });
    });

    it('lists all targets, even those whose store is not asked', async () => {
      const author = await Author.in(world);
      const { token, extensionId } = author.mine;
      const { targets } = (await world.api.as({ token }).get(`/extensions/${extensionId}/next-steps`)).body;
      expect(targets).toHaveLength(4);
      const rest = targets.filter(({ store }: { store: string }) => store !== 'chrome');
      for (const target of rest) expect(target).toMatchObject({ step: 'nothing', phase: 'disabled' });
      const formerName = await world.api.as({ token }).get(`/extensions/${extensionId}/plan`);
      expect(formerName).toMatchObject({ status: 200, body: { targets } });
    });
  });

  describe('what people are shown', () => {
    it('is not said of a version that the store was not asked about yet', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      await author.reconcile();
      await author.act('reject');
      await author.reconcile();
      expect((await author.target()).display).toMatchObject({ word: 'rejected', tone: 'rejected', turn: 'you' });
      await author.push('1.1.0');
      const { display, status } = await author.target();
      expect(display).toMatchObject({ word: 'waiting', tone: 'underway', turn: 'pierhead' });
      expect(status.message).toBe('Version 1.1.0 is pinned; Pierhead will check the store shortly.');
    });

    it('is the reason of the store, also while it rests, and no event that did not happen', async () => {
      const author = await Author.in(world);
      await author.push('1.0.0');
      await author.reconcile();
      await author.act('reject');
      await author.reconcile();
      const { message } = await author.status();
      const told = await author.history();
      const { token, extensionId, targetId } = author.mine;
      const api = world.api.as({ token });
      for (const act of ['pause', 'resume']) {
        expectStatus(await api.post(`/extensions/${extensionId}/targets/${targetId}/${act}`), 200);
        expect((await author.status()).message).toBe(message);
        await author.reconcile();
      }
      const since = (await author.history()).slice(told.length);
      expect(since.toSorted()).toEqual(['target_paused', 'target_resumed']);
    });

    it('is that a version waits for its release, though that of the one before was asked for', async () => {
      const author = await Author.in(world);
      await author.set({ release: 'manual', onPending: 'replace' });
      await author.push('1.0.0');
      await author.reconcile();
      const { token, extensionId, targetId } = author.mine;
      const path = `/extensions/${extensionId}/targets/${targetId}/release`;
      expectStatus(await world.api.as({ token }).post(path), 200);
      await author.push('1.1.0');
      for (let rounds = 0; rounds < 5 && (await author.status()).phase !== 'in_review'; rounds += 1) {
        await world.forward(60_000);
        await author.reconcile();
      }
      await author.act('approve');
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'approved', submittedVersion: '1.1.0' });
      expect((await author.target()).display).toMatchObject({ word: 'approved', tone: 'needs_you', turn: 'you' });
      const { items, needs } = (await world.api.as({ token }).get('/overview')).body;
      expect(needs).toMatchObject([{ kind: 'release_waiting', targetId }]);
      expect(items[0].targets[0].display).toMatchObject({ tone: 'needs_you' });
    });
  });

  describe('a package that the store processes later', () => {
    const awaited = async (author: Author, phase: string) => {
      for (let looks = 0; looks < 20; looks += 1) {
        await world.forward(31_000);
        await world.tick();
        const status = await author.status();
        if (status.phase === phase) return status;
      }
      throw new Error(`The target never became ${phase}`);
    };

    it.each(['IN_PROGRESS', 'UPLOAD_IN_PROGRESS'])(
      'is waited for while it is %s, and then submitted',
      async (spelling) => {
        const author = await Author.in(world, { asyncUploadPolls: 4, uploadInProgressSpelling: spelling });
        await author.push('1.0.0');
        expect(await author.reconcile()).toMatchObject({ phase: 'validating' });
        expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 0 });
        await awaited(author, 'in_review');
        expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1, refused: 0 });
      },
    );

    it('has one event, however often it is polled', async () => {
      const author = await Author.in(world, { asyncUploadPolls: 9 });
      await author.push('1.0.0');
      await author.reconcile();
      const told = await author.events();
      await author.reconcile();
      await author.reconcile();
      expect(await author.events()).toEqual(told);
    });

    it('keeps what the previous check showed', async () => {
      const author = await Author.in(world, { published: '1.0.0', asyncUploadPolls: 9 });
      await author.push('1.1.0');
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'validating', liveVersion: '1.0.0', failures: 0 });
      expect((await author.status()).checkedAt).not.toBeNull();
    });

    it('ends the release when the store could not process it; a newer version continues', async () => {
      const author = await Author.in(world, { asyncUploadPolls: 2, asyncUploadOutcome: 'FAILED' });
      await author.push('1.0.0');
      await author.reconcile();
      expect((await awaited(author, 'rejected')).message).toMatch(/could not process the package of version 1\.0\.0/);
      expect(await author.releases()).toEqual(['1.0.0 failed']);
      expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
      expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 0 });

      await author.dashboard({ asyncUploadPolls: null });
      await author.push('1.0.1');
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    });

    it('is uploaded again after the store has not shown it for ten minutes', async () => {
      const author = await Author.in(world, { asyncUploadPolls: 1, asyncUploadOutcome: 'ABSENT' });
      await author.push('1.0.0');
      await author.reconcile();
      for (let minute = 1; minute < 10; minute += 1) {
        await world.forward(MINUTE);
        expect(await author.reconcile()).toMatchObject({ phase: 'validating' });
      }
      expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 0 });

      await author.dashboard({ asyncUploadPolls: null });
      await world.forward(2 * MINUTE);
      expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
      expect(await author.counters()).toMatchObject({ uploads: 2, submissions: 1 });
    });
  });
});
