import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Notification } from '../support/purchases.js';
import { Seller } from './seller.js';

const DAY_MS = 86_400_000;

describe('sales figures', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const sales = async ({ tenant }: Seller, query = '') =>
    expectStatus(await world.api.as(tenant).get(`/sales${query}`), 200).body;
  const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

  it.each(PROCESSOR_IDS)('of %s agree with its events to the cent', async (processor) => {
    const seller = await Seller.in(world, processor);
    const { paidMonth, refundedMonth, soldOnce } = FULL_SIZE[processor];
    const month = (number: number): Date => new Date(world.clock.now().getTime() - number * 30 * DAY_MS);
    const begun = new Date(Math.floor(month(1).getTime() / 1000) * 1000);
    const kept = seller.sale({ at: begun });
    const refunded = seller.sale();
    const events = [
      ...paidMonth(kept, 1),
      ...paidMonth(kept, 2),
      ...paidMonth(refunded, 1),
      ...refundedMonth(refunded, 1, 0),
      ...soldOnce(seller.sale()),
    ];
    await seller.sendAll([...events.toReversed(), ...events]);
    const [row, ...others] = (await sales(seller, `?from=${dayOf(month(2))}`)).rows;
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      group: null,
      currency: 'EUR',
      sales: 3,
      salesAmount: 2700,
      renewals: 1,
      renewalsAmount: 900,
      refunds: 1,
      refundsAmount: 900,
      disputes: 0,
      netAmount: 2700,
    });
    expect((await sales(seller, `?from=${dayOf(month(2))}&by=processor`)).rows).toEqual([{ ...row, group: processor }]);
    expect((await sales(seller, `?from=${dayOf(begun)}&to=${dayOf(begun)}`)).rows).toMatchObject([
      { sales: 1, renewals: 0, refunds: 0, netAmount: 900 },
    ]);
    const days = (await sales(seller, `?from=${dayOf(month(2))}&by=day`)).rows;
    expect(days[0]).toMatchObject({ group: dayOf(begun), sales: 1, activeSubscriptions: null });
    expect(days.reduce((sum: number, one: { readonly netAmount: number }) => sum + one.netAmount, 0)).toBe(2700);
  });

  it('count the subscriptions that are paid now, by plan and country', async () => {
    const seller = await Seller.in(world, 'stripe');
    const paid = seller.sale();
    const ended = seller.sale();
    const address = { customer_address: { country: 'de' } };
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(paid, 1).map((one) => withObject(one, address)));
    await seller.sendAll([...FULL_SIZE.stripe.paidMonth(ended, 1), FULL_SIZE.stripe.ended(ended, 0, 1)]);
    const { rows } = await sales(seller, '?by=plan');
    expect(rows).toMatchObject([{ group: seller.planId, sales: 2, activeSubscriptions: 1 }]);
    expect(rows[0].name).toMatch(/ \w+$/);
    expect((await sales(seller, '?by=country')).rows).toMatchObject([
      { group: 'DE', sales: 1, activeSubscriptions: 1 },
      { group: null, sales: 1, activeSubscriptions: 0 },
    ]);
    await world.forward(40 * DAY_MS);
    expect((await sales(seller, '?by=plan')).rows).toEqual([]);
  });

  it('take a dispute off until it is won, and keep currencies apart', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE.stripe.soldOnce(sale));
    await seller.sendAll(FULL_SIZE.stripe.soldOnce(seller.sale()).map((one) => withObject(one, { currency: 'usd' })));
    const dispute = (type: string, status: string, second: number) => ({
      id: `evt_${type}_${sale.tag}`,
      type,
      created: Math.floor(sale.at.getTime() / 1000) + second,
      livemode: true,
      data: { object: { id: 'dp_1', status, amount: 900, currency: 'eur', payment_intent: `pi_1_${sale.tag}` } },
    });
    await seller.sendAll([dispute('charge.dispute.created', 'needs_response', 1)]);
    expect((await sales(seller)).rows).toMatchObject([
      { currency: 'EUR', sales: 1, disputes: 1, disputesAmount: 900, netAmount: 0 },
      { currency: 'USD', sales: 1, disputes: 0, netAmount: 900 },
    ]);
    await seller.sendAll([dispute('charge.dispute.closed', 'won', 2)]);
    expect((await sales(seller)).rows).toMatchObject([{ disputes: 0, disputesAmount: 0, netAmount: 900 }, {}]);
  });

  it('count the earlier of two payments of a subscription at Dodo Payments as the sale, whichever arrives first', async () => {
    const seller = await Seller.in(world, 'dodo');
    const sale = seller.sale({ at: new Date(world.clock.now().getTime() - 40 * DAY_MS) });
    const cheaper = (event: Notification) => ({ ...event, data: { ...(event['data'] as object), total_amount: 700 } });
    const { paidMonth } = FULL_SIZE.dodo;
    await seller.sendAll([...paidMonth(sale, 2).map(cheaper).toReversed(), ...paidMonth(sale, 1)]);
    const { rows } = await sales(seller, `?from=${dayOf(sale.at)}`);
    expect(rows).toMatchObject([{ sales: 1, salesAmount: 900, renewals: 1, renewalsAmount: 700 }]);
  });

  it('leave test orders out', async () => {
    const seller = await Seller.in(world, 'stripe', { credentials: { testMode: true } });
    const paid = () => FULL_SIZE.stripe.paidMonth(seller.sale(), 1);
    await seller.sendAll([...paid(), ...paid().map((one) => ({ ...one, livemode: false }))]);
    expect(expectStatus(await world.api.as(seller.tenant).get('/orders'), 200).body.items).toHaveLength(2);
    for (const query of ['', '?by=plan'])
      expect((await sales(seller, query)).rows).toMatchObject([{ sales: 1, salesAmount: 900, activeSubscriptions: 1 }]);
    expect((await sales(seller, '?by=day')).rows).toMatchObject([{ sales: 1, netAmount: 900 }]);
  });

  it('are a CSV for those who prefer it', async () => {
    const seller = await Seller.in(world, 'paddle');
    await seller.sendAll(FULL_SIZE.paddle.soldOnce(seller.sale()));
    const answer = await world.api.as(seller.tenant).get('/sales?by=processor', { headers: { accept: 'text/csv' } });
    expect(answer.headers.get('content-type')).toMatch('text/csv');
    const [head = '', line] = answer.text.split('\r\n');
    expect(head.split(',').slice(0, 5)).toEqual(['group', 'name', 'currency', 'sales', 'salesAmount']);
    expect(line).toBe('paddle,,EUR,1,900,0,0,0,0,0,0,900,0');
  });

  it('refuse a range that is none', async () => {
    const { tenant } = await Seller.in(world, 'stripe');
    expectStatus(await world.api.as(tenant).get('/sales?from=2027-02-30'), 400);
    expectStatus(await world.api.as(tenant).get('/sales?by=buyer'), 400);
  });
});

/** The event with other members of its main object. */
function withObject(event: Readonly<Record<string, unknown>>, more: object): Readonly<Record<string, unknown>> {
  const { object } = event['data'] as { readonly object: object };
  return { ...event, data: { object: { ...object, ...more } } };
}
