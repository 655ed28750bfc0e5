import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool, PoolClient } from 'pg';
import { onServer, Shop } from '../licensing/shop.js';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';

/** After five plans for given values, PostgreSQL keeps one for all values, unless those seem cheaper to it. */
const TIMES = 12;

describe('a prepared statement', () => {
  let world: World;
  let shop: Shop;
  const clients = new Set<PoolClient>();
  beforeAll(async () => {
    world = await startWorld();
    const { master } = world.app.get(DataSource).driver as unknown as { readonly master: Pool };
    master.on('acquire', (client) => clients.add(client));
    shop = await Shop.open(world, { maxActivations: 100 });
  });
  afterAll(() => world.close());

  /** The statements that were planned anew each time they were used. */
  async function plannedEachTime(): Promise<readonly string[]> {
    const text = `select name from pg_prepared_statements where custom_plans >= ${TIMES} and generic_plans = 0`;
    const names: string[] = [];
    for (const client of clients) {
      const { rows } = await client.query<{ name: string }>(text);
      names.push(...rows.map(({ name }) => name));
    }
    return names;
  }

  it.each<[string, () => Promise<Answer>]>([
    ['an activation', () => shop.activate(randomUUID())],
    ['a check', () => shop.check('a device')],
    ['a ping', () => world.api.post('/analytics/ping', ping())],
    ['an extension', () => shop.mine('GET', `/extensions/${shop.extensionId}`)],
    ['the overview', () => shop.mine('GET', '/overview')],
  ])('of %s is planned once for all values', async (_, ask) => {
    if (!onServer) return;
    for (let time = 0; time < TIMES + 5; time += 1) expect((await ask()).status).toBeLessThan(300);
    expect(await plannedEachTime()).toEqual([]);
  });

  const ping = () => ({ extensionId: shop.extensionId, installId: randomUUID(), version: '1.0.0' });
});
