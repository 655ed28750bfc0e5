import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import { startWorld, type World, Transactions } from '../support/app.js';
import { HOUR, MINUTE, SECOND } from '../support/clock.js';
import { Author, stepsOf } from './author.js';

type Fault = Omit<FaultOptions, 'match' | 'itemId'>;

const OPERATIONS = ['token', 'fetchStatus', 'upload', 'publish'] as const;
const PAGE = '<!doctype html><title>502</title><p>The proxy is having a bad day.</p>';

/** What a store, or whatever stands before it, may do to any call. */
const PASSING: Readonly<Record<string, Fault>> = {
  'answers 500': { kind: 'status', status: 500 },
  'answers 500 after it has acted': { kind: 'status-after', status: 500 },
  'answers with a web page': { kind: 'body', body: PAGE },
  'answers 200 with an error in it': { kind: 'body', body: { error: { code: 503, status: 'UNAVAILABLE' } } },
  'answers with 50 MB': { kind: 'huge-body', megabytes: 50 },
  'drops the connection before it has acted': { kind: 'drop-before' },
  'drops the connection after it has acted': { kind: 'drop-after' },
};

describe('faults of the store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** An author whose next reconcile meets a fault; it has to ask for a token anew, too. */
  const troubled = async (operation: string, fault: Fault) => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    await author.revoke('accessTokens');
    await author.fault(operation, fault);
    return author;
  };

  const endsLive = async (author: Author, version = '1.0.0') => {
    const before = await author.counters();
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect(await author.status()).toMatchObject({ failures: 0, liveVersion: version });
    const { uploads, publishes, submissions } = await author.counters();
    expect(publishes).toBe(submissions);
    expect(uploads - before.uploads).toBeLessThanOrEqual(1);
    return submissions;
  };

  it('a version with characters that the database cannot store is read without them', async () => {
    const author = await troubled('fetchStatus', {
      kind: 'body',
      body: String.raw`{"itemId":"i","publishedItemRevisionStatus":{"state":"PUBLISHED","distributionChannels":[{"crxVersion":"99.0\u0000"}]},
        "submittedItemRevisionStatus":{"state":"\u0000WEIRD\ud800","distributionChannels":[{"crxVersion":"99.\u00001"}]}}`,
    });
    expect(await author.reconcile()).toMatchObject({
      phase: 'live',
      message: expect.stringMatching(/^Version 99\.0 is/),
    });
    expect(await author.status()).toMatchObject({ liveVersion: '99.0', submittedVersion: '99.1', failures: 0 });
  });

  describe.each(OPERATIONS)('at %s', (operation) => {
    it('a passing fault ends live all the same, with nothing doubled', async () => {
      const author = await Author.in(world);
      let submitted = 0;
      for (const [name, fault] of Object.entries(PASSING)) {
        const version = `1.0.${(submitted += 1)}`;
        await author.push(version);
        await author.revoke('accessTokens');
        await author.fault(operation, fault);
        expect({ name, ...(await author.reconcile()) }).toMatchObject({ name, phase: 'backing_off' });
        const { failures, message, nextCheckAt } = await author.status();
        expect({ name, failures }).toEqual({ name, failures: 1 });
        expect(message).toMatch(/^Chrome Web Store failed: .+ Pierhead tries again\.$/);
        expect((Date.parse(nextCheckAt ?? '') - world.clock.now().getTime()) / SECOND).toBeCloseTo(30, -1);
        expect({ name, submissions: await endsLive(author, version) }).toEqual({ name, submissions: submitted });
      }
    });

    it.each([503, 429])('is not asked before the time that a %i names, not even on request', async (status) => {
      const headers = { 'Retry-After': '600' };
      const author = await troubled(operation, { kind: 'status', status, headers });
      const due = new Date(world.clock.now().getTime() + 10 * MINUTE).toISOString();
      expect(await author.reconcile()).toMatchObject({ phase: 'backing_off', nextCheckAt: due });

      const asked = await author.asked();
      await world.forward(9 * MINUTE);
      const because = `Pierhead does not contact Chrome Web Store before ${due}, as the store requested.`;
      const wait = { steps: [{ step: 'wait', because, outcome: 'none' }], nextCheckAt: due };
      expect(await author.reconcile()).toMatchObject(wait);
      expect(await author.plan()).toMatchObject({ step: 'wait', because });
      await author.push('1.0.0', 'Another name');
      await author.set({ enabled: false });
      await author.set({ enabled: true });
      await world.tick();
      expect(await author.reconcile()).toMatchObject(wait);
      expect(await author.asked()).toEqual(asked);

      await world.forward(MINUTE);
      await world.tick();
      expect(await author.status()).toMatchObject({ phase: 'in_review' });
      await endsLive(author);
    });
  });

  it('backs off for longer after each failure, up to six hours', async () => {
    const author = await troubled('fetchStatus', { kind: 'status', status: 500, times: 'always' });
    const pauses: number[] = [];
    for (let failure = 1; failure <= 12; failure += 1) {
      const { nextCheckAt } = await author.reconcile();
      pauses.push(Date.parse(nextCheckAt ?? '') - world.clock.now().getTime());
    }
    expect(await author.status()).toMatchObject({ phase: 'backing_off', failures: 12 });
    expect(pauses[0]).toBeLessThan(MINUTE);
    for (const [index, pause] of pauses.slice(0, 9).entries()) expect(pauses[index + 1]).toBeGreaterThan(pause);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6.6 * HOUR);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(5.4 * HOUR);
    await world.control.clearFaults({ itemId: author.mine.itemId });
    await endsLive(author);
  });

  it('backs off for longer even when only the step fails, and not the check before it', async () => {
    const author = await troubled('upload', { kind: 'drop-before', times: 3 });
    for (const failures of [1, 2, 3]) {
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'backing_off', failures });
    }
    await endsLive(author);
  });

  it('keeps what it knew while the store cannot be asked', async () => {
    const author = await Author.in(world, { published: '0.9.0' });
    await author.reconcile();
    await author.push('1.0.0');
    await author.fault('upload', { kind: 'status', status: 500 });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    await author.fault('fetchStatus', { kind: 'status', status: 500 });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    expect(await author.status()).toMatchObject({ liveVersion: '0.9.0', desiredVersion: '1.0.0', failures: 2 });
  });

  it('keeps the answer of the store in the timeline', async () => {
    const author = await troubled('upload', {
      kind: 'body',
      body: { error: { code: 503, message: 'Backend is away.' } },
    });
    await author.reconcile();
    const failed = (await author.events()).find(({ kind }) => kind === 'step_failed');
    expect(failed).toMatchObject({
      version: '1.0.0',
      targetId: author.mine.targetId,
      data: { step: 'upload', kind: 'retry', raw: { error: { code: 503, message: 'Backend is away.' } } },
    });
  });

  it('ends the release when the store will never accept the package', async () => {
    const author = await Author.in(world, { verifiedCrx: false });
    await author.push('1.0.0');
    const fieldViolations = [{ field: 'media', reason: 'PKG_MANIFEST_PARSE_ERROR', description: 'Bad manifest.' }];
    const error = { code: 400, status: 'INVALID_ARGUMENT', message: 'Invalid.', details: [{ fieldViolations }] };
    await author.fault('upload', { kind: 'status', status: 400, body: { error } });
    expect(await author.reconcile()).toMatchObject({
      phase: 'rejected',
      message: expect.stringContaining(
        'does not accept version 1.0.0: Invalid. PKG_MANIFEST_PARSE_ERROR: Bad manifest.',
      ),
    });
    expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
    expect(await author.releases()).toEqual(['1.0.0 failed']);
    await author.push('1.0.1');
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('needs a person when the target’s item does not exist', async () => {
    const author = await Author.in(world);
    await author.set({ storeItemId: 'a'.repeat(32) });
    await author.push('1.0.0');
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining("Check the target's storeItemId"),
    });
    await author.set({ storeItemId: author.mine.itemId });
    await endsLive(author);
  });

  it('waits for a state of the store that it does not know, and reports it instead of guessing', async () => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    const { itemId, publisherId } = author.mine;
    const submittedItemRevisionStatus = { state: 'BEING_PONDERED', distributionChannels: [{ crxVersion: '1.0.0' }] };
    const name = `publishers/${publisherId}/items/${itemId}`;
    await author.fault('fetchStatus', { kind: 'body', body: { name, itemId, submittedItemRevisionStatus } });
    expect(await author.reconcile()).toMatchObject({
      phase: 'in_review',
      message: 'The store has version 1.0.0 in a state that Pierhead does not know.',
    });
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0 });
  });

  it('stops at the number of calls that a credential may make in a minute', async () => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    const now = world.clock.now().getTime();
    const window = new Date(now - (now % MINUTE));
    const until = new Date(window.getTime() + MINUTE).toISOString();
    await world.app
      .get(Transactions)
      .query('insert into store_budget (credential_id, window_at, used) values ($1, $2, 300)', [
        author.mine.credentialId,
        window,
      ]);
    const asked = await author.asked();
    const wait = {
      step: 'wait',
      because: `Pierhead does not contact Chrome Web Store before ${until}, to stay within its rate limit.`,
    };
    expect(await author.plan()).toMatchObject(wait);
    expect(await author.reconcile()).toMatchObject({ steps: [wait], nextCheckAt: until });
    expect(await author.asked()).toEqual(asked);
    await world.forward(MINUTE);
    await world.tick();
    expect(await author.status()).toMatchObject({ phase: 'in_review' });
  });

  describe('a credential that the store no longer accepts', () => {
    const halfWay = async () => {
      const author = await Author.in(world, { asyncUploadPolls: 0 });
      await author.push('1.0.0');
      expect(stepsOf(await author.reconcile())).toEqual(['upload']);
      return author;
    };

    it.each(['all', 'serviceAccount'])(
      'during a release (%s revoked) is named, and the target continues once it is rotated',
      async (what) => {
        const author = await halfWay();
        await author.revoke(what);
        await author.revoke('accessTokens');
        expect(await author.reconcile()).toMatchObject({
          phase: 'action_required',
          message: expect.stringMatching(/refused the credential “main”: .*invalid_grant.* Rotate it/s),
        });
        expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });

        await author.rotate();
        await world.tick();
        expect(await author.status()).toMatchObject({ phase: 'in_review', failures: 0 });
        expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1 });
      },
    );

    it('is named when its account was removed from the publisher', async () => {
      const author = await halfWay();
      await world.control.account(author.mine.publisherId, 'detach');
      expect(await author.reconcile()).toMatchObject({
        phase: 'action_required',
        message: expect.stringContaining('“main”'),
      });
      await world.control.account(author.mine.publisherId, 'attach');
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    });

    it('causes no failure when only its access token has expired', async () => {
      const author = await halfWay();
      await world.forward(2 * HOUR);
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
      expect(await author.history()).not.toContain('step_failed publish');
    });
  });
});
