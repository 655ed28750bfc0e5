import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { NotificationIntake, pg, startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification } from '../support/purchases.js';
import { Shop } from '../licensing/shop.js';
import { Seller } from './seller.js';

/** On the embedded database, whose one session nobody else can hold up, there is no second session to hold the lock. */
const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';
const ORDERS = 30;

(onServer ? describe : describe.skip)('a seller whose orders all wait', () => {
  let world: World;
  let busy: Seller;
  let other: Seller;
  beforeAll(async () => {
    world = await startWorld({ env: { DATABASE_POOL: '10' } });
    busy = await Seller.in(world, 'stripe');
    other = await Seller.in(world, 'stripe');
  });
  afterAll(() => world.close());

  it('holds up neither checks, nor the health, nor the orders of others, nor its own events that change nothing', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const holder = new pg.Client({ connectionString: world.database.url });
    await holder.connect();
    const waiting: Promise<Answer>[] = [];
    try {
      await holder.query('begin');
      await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `payments:${busy.tenant.tenantId}:stripe`,
      ]);
      for (let order = 0; order < ORDERS; order += 1)
        for (const event of oneOffSale('stripe', busy.sale({ planId: busy.planId }))) waiting.push(busy.send(event));
      const ready = await world.api.get('//health/ready');
      expect(ready.status).toBe(200);
      expect((await shop.check(device)).body).toMatchObject({ isActive: true });
      const [sale] = oneOffSale('stripe', other.sale({ planId: other.planId }));
      expect(sale === undefined ? null : (await other.send(sale)).status).toBe(200);
      const nothing = {
        id: `evt_${randomUUID()}`,
        type: 'payment_intent.succeeded',
        livemode: true,
        data: { object: {} },
      };
      expect((await busy.send(nothing)).body).toMatchObject({ outcome: 'ignored' });
      const { rows } = await holder.query<{ readonly waiting: number }>(
        `select count(*)::int as waiting from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`,
      );
      expect(rows[0]?.waiting).toBeLessThanOrEqual(1);
      // The processor does not wait for it either.
      const answers = await Promise.all(waiting);
      expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, 'received']));
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await world.app.get(NotificationIntake).whenIdle();
    expect(await busy.licenses()).toHaveLength(ORDERS);
    expect(await busy.inbox('received')).toEqual([]);
  });

  it.each(['stripe', 'paddle'] as const)(
    'handles what waited at %s together as it would one by one',
    async (processor) => {
      const alone = await Seller.in(world, processor, { credentials: { testMode: true } });
      const together = await Seller.in(world, processor, { credentials: { testMode: true } });
      const said = (seller: Seller): readonly Notification[] => {
        const [renewed, sold] = [seller.sale({ planId: seller.planId }), seller.sale({ planId: seller.planId })];
        const unmapped = oneOffSale(processor, seller.sale({ planId: randomUUID() }));
        const first = oneOffSale(processor, sold);
        const events = [...subscriptionLife(processor, renewed), ...first, ...fullRefund(processor, sold), ...unmapped];
        // Deliveries that are repeated, and another order than that of the events.
        return [...events.slice(3), ...events.slice(0, 3), ...first, ...events.slice(0, 5)];
      };
      for (const notification of said(alone)) expectStatus(await alone.send(notification), 200);
      const holder = new pg.Client({ connectionString: world.database.url });
      await holder.connect();
      try {
        await holder.query('begin');
        await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `payments:${together.tenant.tenantId}:${processor}`,
        ]);
        const [first, ...others] = said(together);
        // It is answered while it waits for the lock, so that all others wait for their turn.
        expect(first === undefined ? null : (await together.send(first)).body.status).toBe('received');
        const answers = await Promise.all(others.map((notification) => together.send(notification)));
        for (const { body } of answers) expect(['received', 'ignored']).toContain(body.status);
        await holder.query('commit');
      } finally {
        await holder.end();
      }
      await world.app.get(NotificationIntake).whenIdle();
      // A code that was refunded meanwhile is not sent, so that deliveries may differ.
      const licensesOf = async (seller: Seller) =>
        (await seller.licenses())
          .map(({ status, expiresAt, revokedFor, isTest }) => ({ status, expiresAt, revokedFor, isTest }))
          .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
      const inboxOf = async (seller: Seller) =>
        (await seller.inbox()).map(({ kind, status }) => `${kind} ${status}`).toSorted();
      expect(await licensesOf(together)).toEqual(await licensesOf(alone));
      expect(await inboxOf(together)).toEqual(await inboxOf(alone));
      expect(await licensesOf(together)).toHaveLength(2);
    },
  );

  it('handles what it has answered, also when its process did not live to do it', async () => {
    const seller = await Seller.in(world, 'stripe');
    const [sale] = oneOffSale('stripe', seller.sale({ planId: seller.planId }));
    if (sale === undefined) throw new Error('a sale has a notification');
    const holder = new pg.Client({ connectionString: world.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `payments:${seller.tenant.tenantId}:stripe`,
      ]);
      expect((await seller.send(sale)).body).toEqual({ outcome: 'handled', status: 'received', reason: null });
      await holder.query(
        `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`,
      );
      world.clock.forward(MINUTE);
      await world.app.get(NotificationIntake).whenIdle();
      // Another process is at work for the seller.
      await world.app.get(NotificationIntake).handleAbandoned();
      expect(await seller.licenses()).toEqual([]);
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await world.app.get(NotificationIntake).handleAbandoned();
    expect((await seller.send(sale)).body).toEqual({ outcome: 'handled', status: 'handled', reason: null });
    expect(await seller.licenses()).toHaveLength(1);
    expect(await seller.inbox()).toMatchObject([{ status: 'handled', reason: null }]);
  });
});
