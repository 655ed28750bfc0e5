import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryRunner } from 'typeorm';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { Shop } from '../licensing/shop.js';

const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

// The embedded database runs one transaction at a time and in this very process, so that none of this can happen to it.
(onServer ? describe : describe.skip)('a database that ends what a request waits for', () => {
  let world: World;
  let shop: Shop;
  let other: QueryRunner;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
    other = world.app.get(DataSource).createQueryRunner();
  });
  afterAll(async () => {
    await other.release();
    await world.close();
  });

  /** Asks for something that waits for a lock, and does this to whatever waits. */
  const whileWaiting = async (ask: () => Promise<Answer>, todo: 'pg_cancel_backend' | 'pg_terminate_backend') => {
    await other.startTransaction();
    await other.query('select id from license where id = $1 for update', [shop.licenseId]);
    const asked = ask();
    const waiting = `select ${todo}(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    let found: readonly unknown[] = [];
    while (found.length === 0) found = await world.app.get(DataSource).query(waiting);
    await other.rollbackTransaction();
    return asked;
  };

  it.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
    'is answered with 503 and a time to retry, and logged with its cause: %s',
    async (todo) => {
      const before = world.log.length;
      const path = `/licenses/${shop.licenseId}`;
      const { status, body, headers } = await whileWaiting(() => shop.mine('POST', `${path}/suspend`), todo);
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: 'overloaded' });
      expect(headers.get('retry-after')).toBe('5');
      const logged = world.log.slice(before).filter((line) => line.includes('"level":"error"') && line.includes('"57'));
      expect(logged.length).toBeGreaterThan(0);
      expect((await shop.mine('POST', `${path}/suspend`)).status).toBe(200);
      expect((await shop.mine('POST', `${path}/reinstate`)).status).toBe(200);
    },
  );
});
