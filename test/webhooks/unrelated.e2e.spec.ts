import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { Seller } from './seller.js';

describe('a product that has nothing to do with an extension', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const needsOf = async ({ tenant }: Seller): Promise<readonly object[]> =>
    expectStatus(await world.api.as(tenant).get('/overview'), 200).body.needs;
  const markThoseOf = ({ tenant }: Seller, id: string) => world.api.as(tenant).post(`/webhooks/inbox/${id}/unrelated`);
  const markedBy = async ({ tenant }: Seller) =>
    expectStatus(await world.api.as(tenant).get('/webhooks/unrelated-products'), 200).body.items;

  it.each(PROCESSOR_IDS)('of %s is marked once, and no sale of it asks for anything again', async (processor) => {
    const seller = await Seller.in(world, processor);
    const bag = FULL_SIZE[processor].bag;
    const { soldOnce, paidMonth } = FULL_SIZE[processor];
    const sell = () => seller.sendAll(soldOnce(seller.sale(), { items: [bag] }));
    await sell();
    await sell();
    const [item] = await seller.inbox('unmapped');
    expect(item.amount).toEqual({ value: 900, currency: 'EUR' });
    expect(await needsOf(seller)).toMatchObject([{ kind: 'sales_unmapped' }]);
    const reason = 'What it sold is marked as unrelated to your extensions.';
    expect(expectStatus(await markThoseOf(seller, item.id), 200).body).toEqual({
      outcome: 'handled',
      status: 'handled',
      reason,
    });
    expectStatus(await world.api.as(seller.tenant).post('/webhooks/inbox/replay', {}), 200);
    expect([await seller.inbox('unmapped'), await needsOf(seller)]).toEqual([[], []]);
    await sell();
    await seller.sendAll(paidMonth(seller.sale(), 1, { items: [bag] }));
    expect([await seller.inbox('unmapped'), await needsOf(seller), await seller.licenses()]).toEqual([[], [], []]);
    expect(await markedBy(seller)).toMatchObject([{ processor, productId: bag.product }]);
    await seller.sendAll(paidMonth(seller.sale(), 1));
    expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
  });

  it('does not hold up the license of what is sold with it', async () => {
    const seller = await Seller.in(world, 'paddle');
    const { soldOnce } = FULL_SIZE.paddle;
    await seller.sendAll(soldOnce(seller.sale(), { items: [FULL_SIZE.paddle.bag] }));
    const [item] = await seller.inbox('unmapped');
    expectStatus(await markThoseOf(seller, item.id), 200);
    const ours = { price: 'pri_1', product: 'pro_1', quantity: 1 };
    await seller.sendAll(soldOnce(seller.sale(), { items: [FULL_SIZE.paddle.bag, ours] }));
    expect([await seller.inbox('unmapped'), await seller.licenses()]).toMatchObject([[], [{ status: 'active' }]]);
  });

  it('gets a license as soon as a plan lists it, and asks again once its mark is taken away', async () => {
    const seller = await Seller.in(world, 'stripe');
    const { soldOnce } = FULL_SIZE.stripe;
    const sell = () => seller.sendAll(soldOnce(seller.sale(), { items: [FULL_SIZE.stripe.bag] }));
    await sell();
    const [item] = await seller.inbox('unmapped');
    expectStatus(await markThoseOf(seller, item.id), 200);
    const [{ id }] = await markedBy(seller);
    await seller.sells(['price_1', 'prod_bag']);
    await sell();
    expect(await seller.licenses()).toHaveLength(1);
    await seller.sells(['price_1']);
    const api = world.api.as(seller.tenant);
    expectStatus(await api.delete(`/webhooks/unrelated-products/${id}`), 204);
    expect((await api.delete(`/webhooks/unrelated-products/${id}`)).body.code).toBe('unrelated_product_not_found');
    await sell();
    expect(await seller.inbox('unmapped')).not.toEqual([]);
    expect(await markedBy(seller)).toEqual([]);
  });

  it('is not what a plan lists, what names a plan, or what another tenant was sold', async () => {
    const seller = await Seller.in(world, 'stripe');
    const other = await Seller.in(world, 'stripe');
    const { soldOnce } = FULL_SIZE.stripe;
    await seller.sendAll(soldOnce(seller.sale()));
    await seller.sendAll(soldOnce(seller.sale({ planId: randomUUID() }), { items: [FULL_SIZE.stripe.bag] }));
    for (const { id } of await seller.inbox()) {
      expect(expectStatus(await markThoseOf(seller, id), 409).body.code).toBe('no_unlisted_product');
      expect(expectStatus(await markThoseOf(other, id), 404).body.code).toBe('inbox_item_not_found');
    }
    expect(await markedBy(seller)).toEqual([]);
  });
});
