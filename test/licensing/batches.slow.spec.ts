import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataSource, startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

/** The most that one request issues. */
const MANY = 5000;
/** An idle machine with two cores takes a fraction of it. */
const IN_TIME_MS = 20_000;

let world: World;
let tenant: Tenant;
let planId: string;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.given.tenant();
  planId = await world.given.plan(tenant, await world.given.extension(tenant));
});
afterAll(() => world.close());

it.each(['code', 'mail', 'gift'])(
  '5,000 licenses are issued within seconds, once, by %s',
  async (delivery) => {
    const campaign = `many by ${delivery}`;
    const emails = Array.from({ length: MANY }, (_, at) => `${at}.${delivery}@somewhere.example.com`);
    const wish = { planId, emails, campaign, delivery };
    const headers = { 'idempotency-key': randomUUID() };
    const began = performance.now();
    const { body } = expectStatus(await world.api.as(tenant).post('/licenses/batch', wish, { headers }), 201);
    const took = performance.now() - began;
    expect(body.items).toHaveLength(MANY);
    expect(new Set(body.items.map(({ code }: { code: string | null }) => code)).size).toBe(
      delivery === 'code' ? MANY : 1,
    );
    expect(took).toBeLessThan(IN_TIME_MS);
    const again = expectStatus(await world.api.as(tenant).post('/licenses/batch', wish, { headers }), 201);
    expect(again.body).toEqual(body);
    const sql = 'select count(*)::int as count from license where campaign = $1';
    expect((await world.app.get(DataSource).query(sql, [campaign]))[0].count).toBe(MANY);
  },
  120_000,
);
