import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pusher } from '../artifacts/pusher.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Author, refusedUpload } from './author.js';

let world: World;
let operator: Tenant;
beforeAll(async () => {
  // Of its own, since it counts from its start.
  world = await startWorld({ env: {} });
  operator = await world.given.tenant();
});
afterAll(() => world.close());

/** A version that Chrome refuses at the upload in these words. */
async function refused(words: string): Promise<void> {
  const author = await Author.in(world, { published: '1.0.0' });
  await author.fault('upload', refusedUpload(words));
  expectStatus(await new Pusher(world, author.mine).push('1.1.0', await packageOf('1.1.0')), 201);
  expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
  await author.reconcile();
}

const listed = async () =>
  expectStatus(await world.api.as({ cookie: operator.cookie }).get('/instance/refusals'), 200).body.items;
const counted = async (rule: string): Promise<number> => {
  const lines = (await (await fetch(`${world.url}/metrics`)).text()).split('\n');
  const line = lines.find((one) => one.startsWith(`pierhead_package_refusals_total{store="chrome",rule="${rule}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

it('counts refusals that no rule foresees, in the words of the store, for operators alone', async () => {
  await refused('Icon "owl-a.png" has 4 corners.');
  await refused('Icon "owl-b.png" has 5 corners.');
  expect(await listed()).toEqual([
    {
      store: 'chrome',
      words: expect.stringContaining('Icon "…" has N corners.'),
      count: 2,
      lastAt: world.clock.now().toISOString(),
    },
  ]);
  expect(await counted('none')).toBe(2);
  const stranger = await world.given.tenant();
  expect((await world.api.as({ cookie: stranger.cookie }).get('/instance/refusals')).status).toBe(403);
});

it('counts refusals that a rule foresees under the rule', async () => {
  const before = await listed();
  await refused('key field is not allowed in manifest.');
  expect(await counted('has_key')).toBe(1);
  expect(await listed()).toEqual(before);
});
