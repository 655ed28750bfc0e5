import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Author } from '../reconcile/author.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';

describe('a rollout', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
    author = await Author.in(world, { published: '1.0.0', weeklyUsers: 20_000 });
    await author.set({ rolloutPercent: 10 });
    await author.push('1.1.0');
    await author.reconcile();
    await author.act('approve');
    await author.reconcile();
  });
  afterAll(() => world.close());

  const inOverview = async (as: { readonly token: string } = author.mine) => {
    const { items } = expectStatus(await world.api.as(as).get('/overview'), 200).body;
    return items[0].targets[0].rollout;
  };
  /** As the target and the overview tell it, which must be the same. */
  const rollout = async () => {
    const told = (await author.target()).rollout;
    expect(await inOverview()).toEqual(told);
    return told;
  };
  const act = async (action: string): Promise<void> => {
    const { extensionId, targetId } = author.mine;
    const path = `/extensions/${extensionId}/targets/${targetId}/${action}`;
    expectStatus(await world.api.as(author.mine).post(path), 200);
  };
  const counted = (day: string, users: number): Promise<unknown> =>
    world.app
      .get(DataSource)
      .query("insert into store_figure values ($1, $2, 'users', '', '', $3)", [author.mine.targetId, day, users]);

  it('is told with what its store accepts next, since when it was first seen', async () => {
    const since = world.clock.now().toISOString();
    expect(await rollout()).toEqual({
      version: '1.1.0',
      percent: 10,
      asked: null,
      users: null,
      since,
      steps: [25, 50, 100],
      anyPercent: true,
      canHalt: true,
      canRollBack: true,
      note: null,
    });
    await world.forward(HOUR);
    await author.reconcile();
    expect(await rollout()).toMatchObject({ percent: 10, since });
  });

  it('counts the users that the store last counted, for those who may read figures', async () => {
    await counted('2026-01-01', 47_000);
    await counted('2026-01-02', 48_000);
    expect(await rollout()).toMatchObject({ users: 48_000 });
    const narrow = { token: await world.given.token(author.mine, ['extensions:read']) };
    const { extensionId, targetId } = author.mine;
    const target = await world.api.as(narrow).get(`/extensions/${extensionId}/targets/${targetId}`);
    expect(expectStatus(target, 200).body.rollout).toMatchObject({ percent: 10, users: null });
    expect(await inOverview(narrow)).toMatchObject({ percent: 10, users: null });
  });

  it('shows what is asked for until the store has answered, and halts before that', async () => {
    await act('pause');
    await author.set({ rolloutPercent: 25 });
    await author.reconcile();
    expect(await rollout()).toMatchObject({ percent: 10, asked: 25, steps: [], canHalt: false });
    expect((await author.item()).published).toMatchObject({ deployPercentage: 10 });
    await act('resume');
    expect(await rollout()).toMatchObject({ percent: 10, asked: 25, steps: [50, 100], canHalt: true });
    await author.reconcile();
    const since = world.clock.now().toISOString();
    expect(await rollout()).toMatchObject({ percent: 25, asked: null, since, steps: [50, 100] });
  });

  it('is over once all users get the version', async () => {
    await author.set({ rolloutPercent: null });
    await author.reconcile();
    expect(await rollout()).toBeNull();
  });
});
