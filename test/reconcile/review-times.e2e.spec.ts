import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author } from './author.js';

describe('the times of a version', () => {
  let world: World;
  let author: Author;
  const now = () => world.clock.now().toISOString();
  /** Pushes a version, which the store decides about after so many hours. Returns when it was pushed, submitted and decided about. */
  const reviewed = async (version: string, hours: number, verdict: 'approve' | 'reject' = 'approve') => {
    const pushedAt = now();
    await author.push(version);
    await world.forward(HOUR);
    const submittedAt = now();
    await author.reconcile();
    await world.forward(hours * HOUR);
    await author.act(verdict);
    await author.reconcile();
    return { pushedAt, submittedAt, decidedAt: now() };
  };
  const timesOf = async (version: string) => {
    const { token, extensionId } = author.mine;
    const { items } = expectStatus(await world.api.as({ token }).get(`/extensions/${extensionId}/releases`), 200).body;
    return items.find((one: { readonly version: string }) => one.version === version).targets[0];
  };
  beforeAll(async () => {
    world = await startWorld();
    author = await Author.in(world);
  });
  afterAll(() => world.close());

  it('are those of its push, its submission, its verdict and its first user', async () => {
    const { decidedAt, ...sent } = await reviewed('1.0.0', 4);
    expect(await timesOf('1.0.0')).toMatchObject({ ...sent, decidedAt, liveAt: decidedAt });
    const rejected = await reviewed('1.1.0', 10, 'reject');
    expect(await timesOf('1.1.0')).toMatchObject({ ...rejected, liveAt: null });
    await author.push('1.2.0');
    expect((await author.target()).usualReview).toBeNull();
  });

  it('tell how long reviews of an item take, once there were three', async () => {
    await reviewed('1.2.1', 7);
    const threeTimes = { reviews: 3, fromSeconds: 4.6 * 3600, toSeconds: 9.4 * 3600 };
    expect((await author.target()).usualReview).toEqual(threeTimes);
    await author.push('1.3.0');
    await author.reconcile();
    expect(await timesOf('1.3.0')).toMatchObject({ submittedAt: now(), decidedAt: null, liveAt: null });
    expect((await author.target()).usualReview).toEqual(threeTimes);
    const other = await Author.in(world);
    expect((await other.target()).usualReview).toBeNull();
  });

  it('count neither a review that was cancelled nor the pause after it', async () => {
    const { usualReview } = await author.target();
    await author.act('cancel');
    await author.reconcile();
    expect(await timesOf('1.3.0')).toMatchObject({ submittedAt: null, decidedAt: null, liveAt: null });
    await world.forward(50 * HOUR);
    const { token, extensionId, targetId } = author.mine;
    expectStatus(await world.api.as({ token }).post(`/extensions/${extensionId}/targets/${targetId}/resubmit`), 200);
    const submittedAt = now();
    await author.reconcile();
    expect((await author.target()).usualReview).toEqual(usualReview);
    await world.forward(7 * HOUR);
    await author.act('approve');
    await author.reconcile();
    expect(await timesOf('1.3.0')).toMatchObject({ submittedAt, decidedAt: now(), liveAt: now() });
    expect((await author.target()).usualReview).toMatchObject({ reviews: 4, toSeconds: 9.1 * 3600 });
  });
});
