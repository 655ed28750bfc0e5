import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { NotificationIntake, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification } from '../support/purchases.js';
import { Seller } from './seller.js';

/** The embedded database has no second process. */
const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';
const MANY = 50;

describe('orders that are told at once', () => {
  let world: World;
  let other: World;
  beforeAll(async () => {
    world = await startWorld();
    other = onServer ? await startWorld({ with: world }) : world;
  });
  afterAll(() => world.close());

  /** Delivers each to one of two processes in turn, all at once. */
  const sendAtOnce = async (seller: Seller, notifications: readonly Notification[]): Promise<readonly Answer[]> => {
    const answers = await Promise.all(
      notifications.map((notification, at) => seller.send(notification, { via: at % 2 === 0 ? world : other })),
    );
    for (const one of [world, other]) await one.app.get(NotificationIntake).whenIdle();
    return answers.map((answer) => expectStatus(answer, 200));
  };
  const ordersOf = (seller: Seller, many: number): readonly Notification[] =>
    Array.from({ length: many }, () => oneOffSale(seller.processor, seller.sale({ planId: seller.planId }))).flat();

  it('make one license of one order, however often it is told', async () => {
    const seller = await Seller.in(world, 'stripe');
    const [sale] = ordersOf(seller, 1);
    await sendAtOnce(
      seller,
      Array.from({ length: MANY }, () => sale ?? {}),
    );
    expect(await seller.licenses()).toHaveLength(1);
    expect(await seller.inbox()).toMatchObject([{ status: 'handled', reason: null }]);
  });

  it('make one license of a subscription, whichever of its events comes first', async () => {
    const seller = await Seller.in(world, 'stripe');
    const lives = Array.from({ length: 10 }, () => subscriptionLife('stripe', seller.sale({ planId: seller.planId })));
    const firsts = lives.flatMap((events, at) => (at % 2 === 0 ? events.slice(0, 3) : events.slice(0, 3).toReversed()));
    await sendAtOnce(seller, firsts);
    const buyers = (await seller.licenses()).map(({ buyerEmail }) => buyerEmail as string);
    expect(new Set(buyers).size).toBe(lives.length);
    expect(buyers).toHaveLength(lives.length);
  });

  it('make a license of each, and mail each code once, of two processors of one extension', async () => {
    const stripe = await Seller.in(world, 'stripe');
    const paddle = await Seller.of(world, 'paddle', stripe.tenant, await world.given.extension(stripe.tenant));
    const orders = [stripe, paddle].map((seller) => [seller, ordersOf(seller, MANY / 2)] as const);
    await Promise.all(orders.map(([seller, notifications]) => sendAtOnce(seller, notifications)));
    const licenses = await stripe.licenses();
    expect(licenses).toHaveLength(MANY);
    const sources = licenses.map(({ source }) => source as string);
    expect(new Set(sources).size).toBe(MANY);
    expect(licenses.map(({ delivery }) => delivery as string)).toEqual(sources.map(() => 'waiting'));
  });

  it('do not fail while the tenant changes and deletes their licenses', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sales = Array.from({ length: 20 }, () => seller.sale({ planId: seller.planId }));
    await sendAtOnce(
      seller,
      sales.flatMap((sale) => oneOffSale('stripe', sale)),
    );
    const [deleted, suspended] = [(await seller.licenses()).slice(0, 5), (await seller.licenses()).slice(5, 15)];
    for (const { id } of deleted) await seller.act(id, 'revoke');
    await Promise.all([
      sendAtOnce(
        seller,
        sales.flatMap((sale) => fullRefund('stripe', sale)),
      ),
      ...deleted.map(({ id }) => seller.deletes(id)),
      // Refused where the refund came first.
      ...suspended.map(async ({ id }) => {
        const { status } = await world.api.as(seller.tenant).post(`/licenses/${id}/suspend`, {});
        expect([200, 409]).toContain(status);
      }),
    ]);
    const left = await seller.licenses();
    expect(left).toHaveLength(15);
    for (const license of left) expect(license).toMatchObject({ status: 'revoked', revokedFor: 'refund' });
  });
});
