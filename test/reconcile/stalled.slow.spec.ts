import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author } from './author.js';

describe('a target that makes no progress', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const passHours = async (hours: number): Promise<void> => {
    for (let hour = 1; hour <= hours; hour += 1) {
      await world.forward(HOUR);
      await world.tick();
    }
  };

  const stalls = async (author: Author) => (await author.events()).filter(({ kind }) => kind === 'stalled');

  it('because its store fails reports that once after a day, with what it waits for', async () => {
    const author = await Author.in(world, { published: '0.9.0' });
    await author.push('1.0.0');
    await author.fault('upload', { kind: 'status', status: 500, times: 'always' });
    const since = world.clock.now().toISOString();
    await author.reconcile();
    await passHours(23);
    expect(await author.status()).toMatchObject({ phase: 'backing_off' });
    expect(await author.notifications()).toEqual([]);
    await passHours(1);
    expect(await author.notifications()).toEqual(['stalled 1.0.0']);
    const [told] = await stalls(author);
    const { message } = await author.status();
    expect(told?.message).toBe(`Chrome Web Store: Version 1.0.0 has made no progress since ${since}. ${message}`);
    await passHours(30);
    expect(await author.notifications()).toEqual(['stalled 1.0.0']);

    await world.control.clearFaults({ itemId: author.mine.itemId });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await world.forward(2 * DAY);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.notifications()).toEqual(['stalled 1.0.0']);
  });

  it('because another version is in review reports that, and again for a version that is pushed later', async () => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    await author.reconcile();
    await author.push('1.1.0');
    expect(await author.reconcile()).toMatchObject({ phase: 'queued' });
    await passHours(25);
    expect(await author.notifications()).toEqual(['stalled 1.1.0']);
    expect((await stalls(author))[0]?.message).toMatch(/Version 1\.0\.0 is in review; 1\.1\.0 follows/);
    await author.push('1.2.0');
    await passHours(23);
    expect(await author.notifications()).toEqual(['stalled 1.1.0']);
    await passHours(2);
    expect(await author.notifications()).toEqual(['stalled 1.1.0', 'stalled 1.2.0']);
  });

  it('reports on time although the store named a later time, without asking the store', async () => {
    const author = await Author.in(world);
    await author.push('1.0.0');
    await author.fault('upload', { kind: 'status', status: 500, times: 'always' });
    await author.reconcile();
    await passHours(22);
    await author.fault('fetchStatus', { kind: 'status', status: 503, headers: { 'Retry-After': '86400' } });
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    const asked = await author.asked();
    await passHours(2);
    expect(await author.notifications()).toEqual(['stalled 1.0.0']);
    expect(await author.asked()).toEqual(asked);
  });

  it('reports nothing while it is paused, waits for a review or was just enabled', async () => {
    const paused = await Author.in(world);
    const path = `/extensions/${paused.mine.extensionId}/targets/${paused.mine.targetId}/pause`;
    expectStatus(await world.api.as(paused.mine).post(path), 200);
    const reviewed = await Author.in(world);
    const resting = await Author.in(world);
    for (const author of [paused, reviewed, resting]) await author.push('1.0.0');
    await resting.fault('upload', { kind: 'status', status: 500, times: 'always' });
    for (const author of [paused, reviewed, resting]) await author.reconcile();
    await passHours(12);
    await resting.set({ enabled: false });
    await world.forward(3 * DAY);
    await resting.set({ enabled: true });
    await passHours(1);
    for (const author of [paused, reviewed, resting]) expect(await author.notifications()).toEqual([]);
  });

  it('reports after as many hours as the operator sets', async () => {
    const hasty = await startWorld({ with: world, env: { STALLED_AFTER_HOURS: '2' } });
    try {
      const author = (await Author.in(world)).at(hasty);
      await author.push('1.0.0');
      await author.fault('upload', { kind: 'status', status: 500, times: 'always' });
      for (const told of [0, 0, 1, 1]) {
        await author.reconcile();
        expect(await author.notifications()).toHaveLength(told);
        await world.forward(HOUR + MINUTE);
      }
    } finally {
      await hasty.close();
    }
  });
});
