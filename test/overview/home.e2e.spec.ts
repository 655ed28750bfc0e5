import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlisted } from '../guard/every-resource.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Publishable, type Tenant } from '../support/given.js';
import { SECRETS } from '../support/payment-signers.js';

interface Item {
  readonly id: string;
  readonly name: string;
}

describe('what the home page shows', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const read = async (as: { readonly token: string }, path = '') =>
    expectStatus(await world.api.as(as).get(`/overview${path}`), 200).body;
  const query = (sql: string, values: readonly unknown[]): Promise<unknown> =>
    world.app.get(DataSource).query(sql, [...values]);
  const daysAgo = (days: number): string =>
    new Date(world.clock.now().getTime() - days * DAY).toISOString().slice(0, 10);
  const names = ({ items }: { readonly items: readonly Item[] }): readonly string[] => items.map(({ name }) => name);

  /** An extension at one store, in a phase, with so many users there. */
  const place = async (owner: Tenant, name: string, phase: string, users: number | null): Promise<string> => {
    const id = await world.given.extension(owner, name);
    const target = await world.given.targetOf(owner, id, 'chrome');
    await query('update target_status set phase = $2 where target_id = $1', [target, phase]);
    await query('update target set enabled = $2 where id = $1', [target, phase !== 'disabled']);
    if (users !== null)
      await query(
        `insert into store_figure values ($1, $2, 'users', '', '', $3), ($1, $2, 'users', 'country', 'DE', 1)`,
        [target, daysAgo(2), users],
      );
    return id;
  };

  it('is sorted by attention and then by users where that is asked for, page by page', async () => {
    const owner = await world.given.tenant();
    await place(owner, 'small', 'live', 20);
    await place(owner, 'rejected', 'rejected', null);
    await place(owner, 'large', 'live', 9000);
    await place(owner, 'moving', 'in_review', 3);
    await place(owner, 'empty', 'disabled', null);
    await place(owner, 'yours', 'action_required', 1);
    const expected = ['rejected', 'yours', 'moving', 'large', 'small', 'empty'];
    expect(names(await read(owner, '?sort=attention'))).toEqual(expected);
    const first = await read(owner, '?sort=attention&limit=4');
    const second = await read(owner, `?sort=attention&limit=4&cursor=${first.nextCursor}`);
    expect([names(first), names(second), second.nextCursor]).toEqual([expected.slice(0, 4), expected.slice(4), null]);
    expect(names(await read(owner))).toEqual(['yours', 'empty', 'moving', 'large', 'rejected', 'small']);
    expect((await world.api.as(owner).get('/overview?sort=name')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'sort' }],
    });
  });

  it('has the users that stores count and the days of four weeks, for those who may read them', async () => {
    const owner = await world.given.tenant();
    const id = await place(owner, 'Owl', 'live', 4000);
    const edge = await world.given.targetOf(owner, id, 'edge');
    await query(`insert into store_figure values ($1, $2, 'users', '', '', 500)`, [edge, daysAgo(2)]);
    // A target that is off is not read any more: what its store told last is not so any more.
    expect((await read(owner)).items).toMatchObject([{ users: 4000 }]);
    await query('update target set enabled = true where id = $1', [edge]);
    const [counted] = (await read(owner)).items;
    expect(counted).toMatchObject({ users: 4500, trend: { of: 'users' } });
    expect(counted.trend.days).toEqual([...Array(26).fill(null), 4500, null]);
    for (const [days, active] of [
      [1, 70],
      [28, 50],
      [29, 1],
    ] as const)
      await query('insert into stat_total values ($1, $2, $3, 0, 0, 0)', [id, daysAgo(days), active]);
    const [pinged] = (await read(owner)).items;
    expect(pinged.trend).toEqual({ of: 'installs', days: [50, ...Array(26).fill(null), 70] });
    const narrow = { token: await world.given.token(owner, ['extensions:read']) };
    expect((await read(narrow)).items[0]).toMatchObject({ users: null, trend: null });
  });

  it('counts a store that told nothing of a day as it last told', async () => {
    const owner = await world.given.tenant();
    const id = await place(owner, 'Late', 'live', 4000);
    const edge = await world.given.targetOf(owner, id, 'edge');
    const chrome = await world.given.targetOf(owner, id, 'chrome');
    await query('update target set enabled = true where id = $1', [edge]);
    for (const [target, days, users] of [
      [chrome, 40, 3000],
      [edge, 10, 500],
    ] as const)
      await query(`insert into store_figure values ($1, $2, 'users', '', '', $3)`, [target, daysAgo(days), users]);
    const [{ trend }] = (await read(owner)).items;
    expect(trend.days).toEqual([...Array(18).fill(null), 3500, ...Array(7).fill(null), 4500, null]);
  });

  it('compares the week with the one before: installs, sales of each currency, licenses', async () => {
    const owner: Publishable = await world.given.publishable();
    const nothing = { value: 0, before: 0, change: null };
    expect(await read(owner, '/week')).toMatchObject({ installs: null, sales: [], licenses: nothing });
    await world.given.licensed({ extensionId: owner.extensionId }, owner);
    const stripe = { store: 'stripe', credentials: { webhookSecret: SECRETS.stripe } };
    expectStatus(await world.api.as({ cookie: owner.cookie }).post('/credentials', stripe), 201);
    await unlisted(world, owner);
    await world.forward(DAY);
    for (const [days, count] of [
      [0, 1000],
      [1, 20],
      [7, 10],
      [8, 24],
      [15, 1000],
    ] as const)
      await query('insert into stat_total values ($1, $2, 0, $3, 0, 0)', [owner.extensionId, daysAgo(days), count]);
    const week = await read(owner, '/week');
    expect(week).toMatchObject({
      from: daysAgo(7),
      to: daysAgo(1),
      installs: { value: 30, before: 24, change: 0.25 },
      licenses: { value: 1, before: 0, change: null },
    });
    const [{ value, currency }] = week.sales;
    expect(value).toBeGreaterThan(0);
    expect(week.sales).toEqual([{ currency, value, before: 0, change: null }]);
    await world.forward(7 * DAY);
    expect(await read({ token: await world.given.token(owner) }, '/week')).toMatchObject({
      sales: [{ currency, value: 0, before: value, change: -1 }],
      licenses: { value: 0, before: 1, change: -1 },
    });
    const narrow = { token: await world.given.token(owner, ['extensions:read']) };
    expect(await read(narrow, '/week')).toMatchObject({ installs: null, sales: null, licenses: null });
  });
});
