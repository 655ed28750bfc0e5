import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { Author, stepsOf } from './author.js';

const IN_REVIEW = [400, 'FAILED_PRECONDITION', 'You may not edit or publish an item that is in review.'] as const;

describe('what people decide at the store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const inReview = async (wish: object = {}) => {
    const author = await Author.in(world, wish);
    await author.push('1.1.0');
    await author.reconcile();
    return author;
  };

  describe('a rejected version', () => {
    it('stays rejected, and nothing is submitted again automatically', async () => {
      const author = await inReview();
      await author.act('reject');
      expect(await author.reconcile()).toMatchObject({
        phase: 'rejected',
        message: expect.stringContaining('rejected version 1.1.0'),
        steps: [{ step: 'ask_human' }],
      });
      for (const later of [HOUR, 2 * DAY, 30 * DAY]) {
        await world.forward(later);
        await world.tick();
        expect(await author.status()).toMatchObject({ phase: 'rejected' });
      }
      expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1 });
      expect(await author.releases()).toEqual(['1.1.0 rejected']);
    });

    it('is followed by a newer one', async () => {
      const author = await inReview();
      await author.act('reject');
      await author.reconcile();
      await author.push('1.1.1');
      expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
      expect(await author.releases()).toEqual(['1.1.1 live', '1.1.0 rejected']);
    });

    it('does not hide that the next one is rejected too', async () => {
      const author = await inReview();
      await author.act('reject');
      await author.reconcile();
      await author.push('1.1.1');
      await author.reconcile();
      await author.reconcile();
      await author.act('reject');
      expect(await author.reconcile()).toMatchObject({ phase: 'rejected', steps: [{ step: 'ask_human' }] });
    });

    it('does not cause the next one to be submitted twice when the answer to its submission was lost', async () => {
      const author = await inReview();
      await author.act('reject');
      await author.reconcile();
      await author.push('1.1.1');
      await author.fault('publish', { kind: 'drop-after' });
      await author.reconcile();
      await author.act('reject');
      expect(await author.reconcile()).toMatchObject({ phase: 'rejected', steps: [{ step: 'ask_human' }] });
      expect(await author.counters()).toMatchObject({ submissions: 2, publishes: 2 });
    });

    it('is submitted again, as a new release, when its target is disabled and enabled', async () => {
      const author = await inReview();
      await author.act('reject');
      await author.reconcile();
      await world.forward(MINUTE);
      await author.set({ enabled: false });
      await author.set({ enabled: true });
      expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
      expect(await author.releases()).toEqual(['1.1.0 in_review']);
      await author.act('approve');
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    });
  });

  it('needs a person when the review was cancelled in the dashboard, and continues when its target is enabled again', async () => {
    const author = await inReview();
    await author.act('cancel');
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('cancelled at the store'),
    });
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required', steps: [{ step: 'ask_human' }] });
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1, cancels: 0 });

    await world.forward(MINUTE);
    await author.set({ enabled: false });
    await author.set({ enabled: true });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  describe("another person's version in review", () => {
    it.each(['wait', 'replace'])('is waited for and never cancelled (onPending: %s)', async (onPending) => {
      const author = await Author.in(world, { submitted: { version: '1.0.5' } });
      if (onPending === 'replace') await author.set({ onPending });
      await author.push('1.1.0');
      expect(await author.reconcile()).toMatchObject({
        phase: 'queued',
        message: 'Version 1.0.5 is in review; 1.1.0 follows when that is done.',
        steps: [{ step: 'wait' }],
      });
      expect(await author.status()).toMatchObject({ submittedVersion: '1.0.5', failures: 0 });

      await author.act('approve');
      expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
      expect(await author.counters()).toMatchObject({ cancels: 0, uploads: 1, submissions: 1, refused: 0 });
    });

    it('is checked every ten minutes, later every hour', async () => {
      const author = await Author.in(world, { submitted: { version: '1.0.5' } });
      await author.push('1.1.0');
      await author.reconcile();
      const pauses: number[] = [];
      for (let look = 1; look <= 12; look += 1) {
        const { nextCheckAt, checkedAt } = await author.status();
        pauses.push((Date.parse(nextCheckAt ?? '') - Date.parse(checkedAt ?? '')) / MINUTE);
        await author.reconcile();
      }
      expect(pauses[0]).toBeCloseTo(10, -1);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(66);
      expect(pauses.at(-1)).toBeGreaterThanOrEqual(54);
    });

    it('stops an upload that began before it was submitted: the store answers wait', async () => {
      const author = await Author.in(world);
      await author.push('1.1.0');
      const [status, code, message] = IN_REVIEW;
      await author.fault('upload', {
        kind: 'status',
        status,
        body: { error: { code: status, status: code, message } },
      });
      expect(await author.reconcile()).toMatchObject({ phase: 'queued', message: expect.stringContaining(message) });
      expect(await author.status()).toMatchObject({ failures: 0 });
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    });
  });

  describe('onPending: replace', () => {
    it('withdraws Pierhead’s own version for a newer one', async () => {
      const author = await inReview();
      await author.set({ onPending: 'replace' });
      await author.push('1.2.0');
      expect(stepsOf(await author.reconcile())).toEqual(['cancel', 'upload', 'submit', 'wait']);
      expect(await author.item()).toMatchObject({
        submitted: { package: { version: '1.2.0' }, state: 'PENDING_REVIEW' },
        counters: { cancels: 1, uploads: 2, submissions: 2 },
      });
      expect(await author.releases()).toEqual(['1.2.0 in_review', '1.1.0 superseded']);
    });

    it('is not the default: Pierhead’s own version is waited for', async () => {
      const author = await inReview();
      await author.push('1.2.0');
      expect(await author.reconcile()).toMatchObject({ phase: 'queued', steps: [{ step: 'wait' }] });
      expect(await author.counters()).toMatchObject({ cancels: 0, uploads: 1 });
    });

    it('withdraws once, though the answer was lost', async () => {
      const author = await inReview();
      await author.set({ onPending: 'replace' });
      await author.push('1.2.0');
      await author.fault('cancel', { kind: 'drop-after' });
      expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
      expect(await author.item()).toMatchObject({
        submitted: { package: { version: '1.2.0' } },
        counters: { cancels: 1, submissions: 2 },
      });
      expect(await author.releases()).toEqual(['1.2.0 in_review', '1.1.0 superseded']);
    });

    it('leaves alone what a person submitted after the store refused Pierhead’s submission', async () => {
      const author = await Author.in(world);
      await author.set({ onPending: 'replace' });
      await author.push('1.1.0');
      const [status, code, message] = IN_REVIEW;
      await author.fault('publish', {
        kind: 'status',
        status,
        body: { error: { code: status, status: code, message } },
      });
      await author.reconcile();
      await author.dashboard({ submitted: { version: '1.1.0' } });
      await author.push('1.2.0');
      expect(await author.reconcile()).toMatchObject({ phase: 'queued' });
      expect(await author.counters()).toMatchObject({ cancels: 0, publishes: 0 });
    });
  });

  it('does not release what a person staged, and sees it live when that person released it', async () => {
    const staged = { version: '1.1.0', state: 'STAGED', publishType: 'STAGED_PUBLISH' };
    const author = await Author.in(world, { submitted: staged });
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({
      phase: 'approved',
      message: expect.stringContaining('Pierhead has no record of submitting it'),
    });
    await world.forward(2 * HOUR);
    await world.tick();
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0, releases: 0 });
    expect(await author.releases()).toEqual(['1.1.0 approved']);

    await author.dashboard({ submitted: null, published: '1.1.0' });
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
  });

  it.each(['auto', 'manual'])(
    'releases a version that it has no record of submitting only on request (%s)',
    async (release) => {
      const staged = { version: '1.1.0', state: 'STAGED', publishType: 'STAGED_PUBLISH' };
      const author = await Author.in(world, { submitted: staged });
      if (release === 'manual') await author.set({ release });
      await author.push('1.1.0');
      expect(await author.reconcile()).toMatchObject({ phase: 'approved', steps: [{ step: 'wait' }] });
      const path = `/extensions/${author.mine.extensionId}/targets/${author.mine.targetId}/release`;
      expect(await world.api.as(author.mine).post(path)).toMatchObject({ status: 200 });
      expect(stepsOf(await author.reconcile())[0]).toBe('release');
      await world.forward(HOUR);
      expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    },
  );

  it('takes a version that a person submitted and that is pinned too for the one under way', async () => {
    const author = await Author.in(world, { submitted: { version: '1.1.0' } });
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0 });
  });

  it('does nothing for a version that is live already', async () => {
    const author = await Author.in(world, { published: '1.1.0' });
    await author.push('1.1.0');
    expect(stepsOf(await author.reconcile())).toEqual(['nothing']);
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0 });
    expect(await author.releases()).toEqual(['1.1.0 live']);
  });

  it('writes nothing for a pin below the live version, and says so', async () => {
    const author = await Author.in(world, { published: '2.0.0' });
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({
      phase: 'live',
      message: 'Version 2.0.0 is live, which is higher than the pinned 1.1.0; stores do not accept lower versions.',
      steps: [{ step: 'nothing' }],
    });
    expect(await author.status()).toMatchObject({ desiredVersion: '1.1.0', liveVersion: '2.0.0' });
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0, refused: 0 });
  });

  it('reports a version as live by its own name when it was submitted before a lower one was pinned', async () => {
    const author = await Author.in(world);
    await author.push('2.0.0');
    await author.reconcile();
    await author.set({ enabled: false });
    await author.push('1.0.0');
    await author.set({ enabled: true });
    expect(await author.reconcile()).toMatchObject({
      phase: 'queued',
      message:
        'Version 2.0.0 is in review; the pinned 1.0.0 is lower, and follows only if that version does not go live.',
    });
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect(await author.notifications()).toEqual(['live 2.0.0']);
    expect(await author.status()).toMatchObject({ desiredVersion: '1.0.0', liveVersion: '2.0.0' });
  });

  it('stops at an item that was taken down, and continues when it is back', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.reconcile();
    expect(await author.status()).toMatchObject({ liveVersion: '1.0.0' });
    await author.act('takedown');
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({ phase: 'taken_down', steps: [{ step: 'ask_human' }] });
    expect(await author.counters()).toMatchObject({ uploads: 0, publishes: 0 });
    expect(await author.status()).toMatchObject({ liveVersion: null });
    await author.dashboard({ takenDown: false });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.status()).toMatchObject({ liveVersion: '1.0.0' });
  });

  it('passes on the store’s warning that it will take the item down', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.act('warn');
    await author.push('1.1.0');
    const { phase, message } = await author.reconcile();
    expect(phase).toBe('in_review');
    expect(message).toContain('The store warns that it will take the item down unless it is changed.');
  });

  it("submits its own package, not a person's draft that has taken its place since", async () => {
    const author = await Author.in(world);
    await author.push('1.1.0');
    await author.fault('publish', { kind: 'drop-before' });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    await author.dashboard({ draft: '9.9.9' });
    await world.forward(31 * MINUTE);
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
    expect(await author.item()).toMatchObject({ submitted: { package: { version: '1.1.0' } } });
  });

  it('needs a person when a submission disappears from the store', async () => {
    const author = await inReview();
    await author.dashboard({ submitted: null });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await world.forward(16 * MINUTE);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1 });
  });

  it('shows the releases of the target’s present item, not of one that it was pointed at in between', async () => {
    const author = await inReview();
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    const { itemId } = await world.control.chromeItem({ publisherId: author.mine.publisherId });
    await author.set({ storeItemId: itemId });
    expect(await author.releases()).toEqual(['1.1.0 live']);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.releases()).toEqual(['1.1.0 in_review']);
    await author.set({ storeItemId: author.mine.itemId });
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect(await author.releases()).toEqual(['1.1.0 live']);
  });

  it('does not undo it when a person takes a live version back', async () => {
    const author = await inReview({ published: '1.0.0' });
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    await author.dashboard({ published: null });
    await world.forward(DAY);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1 });
  });

  it('explains what the item lacks for a submission', async () => {
    const author = await Author.in(world, { publishCondition: 'The privacy tab is incomplete.' });
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('The privacy tab is incomplete.'),
    });
    await author.dashboard({ publishCondition: null });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1 });
  });

  describe.each([
    'You may not edit or publish an item that is in review.',
    'Publish condition not met: You may not edit or publish an item that is in review.',
    'Something else is going on with this item.',
  ])('while the store says of an item under review: %s', (closedFor) => {
    const waiting = { phase: 'queued', message: expect.stringContaining(closedFor) };

    it('waits to upload', async () => {
      const author = await Author.in(world, { closedFor });
      await author.push('1.1.0');
      expect(await author.reconcile()).toMatchObject(waiting);
      expect(await author.notifications()).toEqual([]);
      await author.dashboard({ closedFor: null });
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    });

    it('waits to submit what is uploaded', async () => {
      const author = await Author.in(world, { asyncUploadPolls: 1 });
      await author.push('1.1.0');
      await author.reconcile();
      await author.dashboard({ closedFor });
      await author.reconcile();
      expect(await author.reconcile()).toMatchObject(waiting);
      expect(await author.notifications()).toEqual([]);
      await author.dashboard({ closedFor: null });
      expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
      expect(await author.counters()).toMatchObject({ uploads: 1, submissions: 1 });
    });
  });

  it('reports a refusal once, even when the store fails in between, and again when it is another one', async () => {
    const refusal = { publishCondition: 'The privacy tab is incomplete.' };
    const author = await Author.in(world, refusal);
    await author.push('1.1.0');
    for (const _ of ['once', 'twice', 'three times']) {
      expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
      await world.forward(DAY);
    }
    await author.fault('fetchStatus', { kind: 'status', status: 503 });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    // A store that fails for a whole day has the target reported as stalled, which is a notification of its own.
    await world.forward(DAY / 4);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await author.notifications()).toEqual(['action_required 1.1.0']);

    await author.dashboard({ publishCondition: 'The item needs a category.' });
    await author.reconcile();
    expect(await author.notifications()).toEqual(['action_required 1.1.0', 'action_required 1.1.0']);
    expect(await author.status()).toMatchObject({ message: expect.stringContaining('needs a category') });

    await author.dashboard({ publishCondition: null });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await author.dashboard({ submitted: null, ...refusal });
    await author.push('1.2.0');
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await author.notifications()).toEqual([
      'action_required 1.1.0',
      'action_required 1.1.0',
      'action_required 1.2.0',
    ]);
  });
});
