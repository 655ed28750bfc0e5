import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { Seller } from './seller.js';

describe('an order', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const ordersOf = async ({ tenant }: Seller, query = '') =>
    expectStatus(await world.api.as(tenant).get(`/orders?limit=100${query}`), 200).body.items;
  const orderOf = async ({ tenant }: Seller, id: string) =>
    expectStatus(await world.api.as(tenant).get(`/orders/${id}`), 200).body;
  const assign = ({ tenant }: Seller, id: string, plan: object) =>
    world.api.as(tenant).post(`/orders/${id}/plan`, plan);
  /** A sale of something that no plan lists. */
  const unlisted = async (seller: Seller, processor = seller.processor) => {
    await seller.sendAll(FULL_SIZE[processor].soldOnce(seller.sale(), { items: [FULL_SIZE[processor].bag] }));
    return (await ordersOf(seller))[0];
  };

  it.each(PROCESSOR_IDS)(
    'at %s that made no license is where its notification leads, with what helps',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const order = await unlisted(seller);
      const items = await seller.inbox('unmapped');
      expect(items.map(({ orderId }) => orderId)).toEqual(items.map(() => order.id));
      const { problem } = await orderOf(seller, order.id);
      expect(problem).toMatchObject({ turn: 'you', remedy: expect.stringMatching(/plan/) });
    },
  );

  it.each(PROCESSOR_IDS)('at %s says who paid what, and what that made', async (processor) => {
    const seller = await Seller.in(world, processor);
    const sale = seller.sale();
    const { paidMonth, refundedMonth } = FULL_SIZE[processor];
    const events = [...paidMonth(sale, 1), ...refundedMonth(sale, 1, 0)];
    await seller.sendAll(events);
    const [order, ...others] = await ordersOf(seller);
    const [license] = await seller.licenses();
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      processor,
      buyer: sale.email,
      buyerName: 'Ada Buyer',
      amount: { value: 900, currency: 'EUR' },
      refunded: { value: 900, currency: 'EUR' },
      isSubscription: true,
      isTest: false,
      orderedAt: sale.at.toISOString(),
      licenses: [{ id: license.id, planId: seller.planId, tier: license.tier, status: license.status }],
      problem: null,
    });
    expect(order.productIds).not.toEqual([]);
    const { events: shown, ...rest } = await orderOf(seller, order.id);
    expect(rest).toEqual(order);
    expect(shown.map(({ status }: { readonly status: string }) => status)).not.toContain('unmapped');
    expect(shown.map(({ happenedAt }: { readonly happenedAt: string }) => happenedAt)).toEqual(
      shown.map(({ happenedAt }: { readonly happenedAt: string }) => happenedAt).toSorted(),
    );
  });

  it.each(PROCESSOR_IDS)("at %s, and its license, are found by words of the buyer's name", async (processor) => {
    const tenant = await world.given.tenant();
    // A random name may have the letters that are looked for.
    const seller = await Seller.of(world, processor, tenant, await world.given.extension(tenant, 'Night Owl'));
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE[processor].soldOnce(sale));
    const [license] = await seller.licenses();
    const api = world.api.as(seller.tenant);
    const listed = async (search: string): Promise<readonly string[]> =>
      expectStatus(await api.get(`/licenses?search=${encodeURIComponent(search)}`), 200).body.items.map(
        ({ id }: { readonly id: string }) => id,
      );
    for (const text of ['Ada', 'buyer ad', 'ADA BUYER', 'buy']) {
      expect(await listed(text)).toEqual([license.id]);
      const { items } = expectStatus(await api.post('/search', { text }), 200).body;
      expect(items).toMatchObject([{ kind: 'license', id: license.id }]);
    }
    for (const text of ['Adam', 'ada lovelace', 'uyer']) expect(await listed(text)).toEqual([]);
    expect((await world.api.as(await world.given.tenant()).get('/licenses?search=ada')).body.items).toEqual([]);
    const customer = await api.post('/customers/find', { email: license.buyerEmail });
    expect(customer).toMatchObject({ status: 200, body: { name: 'Ada Buyer' } });
    await seller.act(license.id, 'revoke');
    await seller.deletes(license.id);
    expect((await ordersOf(seller))[0]).toMatchObject({ buyer: null, buyerName: null });
    expect((await api.post('/customers/find', { email: license.buyerEmail })).body.name).toBeNull();
  });

  it("without a license is found by the buyer's name", async () => {
    const seller = await Seller.in(world, 'stripe');
    const { id } = await unlisted(seller);
    const { items } = expectStatus(await world.api.as(seller.tenant).post('/search', { text: 'ada buyer' }), 200).body;
    expect(items).toMatchObject([{ kind: 'sale', id }]);
  });

  it('and a license are each found by a name, however many newer ones of the other kind have it', async () => {
    const found = async (of: Seller): Promise<readonly string[]> =>
      expectStatus(await world.api.as(of.tenant).post('/search', { text: 'ada buyer' }), 200).body.items.map(
        ({ kind }: { readonly kind: string }) => kind,
      );
    const sold = (of: Seller): Promise<unknown> => of.sendAll(FULL_SIZE.stripe.soldOnce(of.sale()));
    const [licensed, open] = [await Seller.in(world, 'stripe'), await Seller.in(world, 'stripe')];
    await sold(licensed);
    await unlisted(open);
    for (let at = 0; at < 11; at += 1) {
      await unlisted(licensed);
      await sold(open);
    }
    expect(await found(licensed)).toContain('license');
    expect(await found(open)).toContain('sale');
  });

  it('leads to its page at the processor', async () => {
    const pages = async (processor: (typeof PROCESSOR_IDS)[number]) => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      await seller.sendAll(FULL_SIZE[processor].paidMonth(sale, 1));
      const [{ url, number }] = await ordersOf(seller);
      return [url, number, sale.tag];
    };
    const [stripe, , tag] = await pages('stripe');
    expect(stripe).toBe(`https://dashboard.stripe.com/subscriptions/sub_${tag}`);
    const [squeezed, number] = await pages('lemonsqueezy');
    expect(squeezed).toBe(`https://app.lemonsqueezy.com/orders/${number}`);
    expect((await pages('polar'))[0]).toBeNull();
  });

  it('is listed by what it is', async () => {
    const seller = await Seller.in(world, 'stripe');
    const paddle = await Seller.of(world, 'paddle', seller.tenant, seller.extensionId);
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE.stripe.soldOnce(sale));
    await paddle.sendAll(FULL_SIZE.paddle.soldOnce(paddle.sale(), { items: [FULL_SIZE.paddle.bag] }));
    const ids = async (query: string): Promise<readonly string[]> =>
      (await ordersOf(seller, query)).map(({ processor }: { readonly processor: string }) => processor);
    expect(await ids('')).toEqual(['paddle', 'stripe']);
    const countOf = async (query: string) =>
      expectStatus(await world.api.as(seller.tenant).get(`/orders/count${query}`), 200).body;
    expect(await countOf('')).toEqual({ count: 2, isMore: false });
    expect(await countOf('?needsAttention=true&processor=paddle')).toEqual({ count: 1, isMore: false });
    expect(await countOf('?needsAttention=true&processor=stripe')).toEqual({ count: 0, isMore: false });
    expect(await ids('&needsAttention=true')).toEqual(['paddle']);
    expect(await ids('&needsAttention=false')).toEqual(['stripe']);
    expect(await ids('&processor=stripe')).toEqual(['stripe']);
    expect(await ids(`&buyer=${String(sale.email).toUpperCase()}`)).toEqual(['stripe']);
    expect(await ids(`&extension=${seller.extensionId}`)).toEqual(['stripe']);
    const another = await world.given.extension(seller.tenant);
    expect(await ids(`&extension=${another}`)).toEqual([]);
    expect(await ids(`&from=${sale.at.toISOString()}`)).toEqual(['paddle', 'stripe']);
    expect(await ids(`&to=${sale.at.toISOString()}`)).toEqual([]);
    const first = expectStatus(await world.api.as(seller.tenant).get('/orders?limit=1'), 200).body;
    expect(first.items).toHaveLength(1);
    expect(await ids(`&cursor=${first.nextCursor}`)).toEqual(['stripe']);
    const other = await Seller.in(world, 'stripe');
    expect((await world.api.as(other.tenant).get(`/orders/${first.items[0].id}`)).body.code).toBe('order_not_found');
  });

  it.each(PROCESSOR_IDS)(
    'of %s without a plan says so, and gets one once, however often it is asked for',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const { id, problem } = await unlisted(seller);
      expect(problem).toMatchObject({ kind: 'no_plan', turn: 'you' });
      const { planId } = seller;
      const answers = await Promise.all(Array.from({ length: 4 }, () => assign(seller, id, { planId })));
      for (const answer of answers)
        expect(expectStatus(answer, 200).body).toMatchObject({
          id,
          problem: null,
          licenses: [{ planId, status: 'active' }],
        });
      expect(await seller.licenses()).toHaveLength(1);
      expect(await seller.inbox('unmapped')).toEqual([]);
      expectStatus(await assign(seller, id, { planId }), 200);
      expect(await seller.licenses()).toHaveLength(1);
      const audit = expectStatus(await world.api.as(seller.tenant).get('/audit?limit=100'), 200).body.items;
      expect(audit.filter(({ action }: { readonly action: string }) => action === 'order.plan_assigned')).toHaveLength(
        1,
      );
      // The next one asks again.
      expect((await unlisted(seller)).problem).not.toBeNull();
    },
  );

  it('can have its product remembered, so that the next one needs nothing', async () => {
    const seller = await Seller.in(world, 'stripe');
    const { id, productIds } = await unlisted(seller);
    expectStatus(await assign(seller, id, { planId: seller.planId, remember: true }), 200);
    const { products } = expectStatus(await world.api.as(seller.tenant).get(`/plans/${seller.planId}`), 200).body;
    expect(products.at(-1)).toEqual({ processor: 'stripe', productId: productIds[0], perUnit: 'seats' });
    expect((await unlisted(seller)).problem).toBeNull();
    expect(await seller.licenses()).toHaveLength(2);
  });

  it('that has its licenses takes no other plan, and none of another tenant', async () => {
    const seller = await Seller.in(world, 'stripe');
    await seller.sendAll(FULL_SIZE.stripe.soldOnce(seller.sale()));
    const [{ id }] = await ordersOf(seller);
    const other = await world.given.plan(seller.tenant, await world.given.extension(seller.tenant));
    expect(expectStatus(await assign(seller, id, { planId: other }), 409).body.code).toBe('order_settled');
    const stranger = await Seller.in(world, 'stripe');
    expect(expectStatus(await assign(seller, id, { planId: stranger.planId }), 404).body.code).toBe('plan_not_found');
    expect(expectStatus(await assign(stranger, id, { planId: stranger.planId }), 404).body.code).toBe(
      'order_not_found',
    );
    expect(await seller.licenses()).toHaveLength(1);
  });

  it('without an address waits for the processor, and then has its license', async () => {
    const seller = await Seller.in(world, 'paddle');
    const [customer, ...sale] = FULL_SIZE.paddle.soldOnce(seller.sale(), { items: [FULL_SIZE.paddle.bag] });
    await seller.sendAll(sale);
    const [{ id }] = await ordersOf(seller);
    const waiting = expectStatus(await assign(seller, id, { planId: seller.planId }), 200).body;
    expect(waiting).toMatchObject({ buyer: null, licenses: [], problem: { kind: 'no_address', turn: 'processor' } });
    await seller.sendAll(customer === undefined ? [] : [customer]);
    expect(await orderOf(seller, id)).toMatchObject({ licenses: [{ planId: seller.planId }], problem: null });
  });

  it('of test mode is none unless the credential takes tests, and then makes a license that is marked', async () => {
    const live = await Seller.in(world, 'stripe');
    const seller = await Seller.in(world, 'stripe', { credentials: { testMode: true } });
    const test = (of: Seller) => FULL_SIZE.stripe.paidMonth(of.sale(), 1).map((one) => ({ ...one, livemode: false }));
    await live.sendAll(test(live));
    expect([await ordersOf(live), await live.licenses()]).toEqual([[], []]);
    await seller.sendAll(test(seller));
    const [order] = await ordersOf(seller);
    expect(order).toMatchObject({ isTest: true, problem: null, licenses: [{ isTest: true, status: 'active' }] });
    expect(order.url).toMatch('https://dashboard.stripe.com/test/subscriptions/');
    const { rows } = expectStatus(await world.api.as(seller.tenant).get('/sales'), 200).body;
    expect(rows).toEqual([]);
  });

  it.each(['paddle', 'polar'] as const)('from the sandbox of %s is a test', async (processor) => {
    const env = { [`${processor.toUpperCase()}_API_URL`]: `https://sandbox-api.${processor}.example` };
    const sandboxed = await startWorld({ env });
    try {
      const seller = await Seller.in(sandboxed, processor, { credentials: { testMode: true } });
      await seller.sendAll(FULL_SIZE[processor].soldOnce(seller.sale()));
      const { items } = expectStatus(await sandboxed.api.as(seller.tenant).get('/orders'), 200).body;
      expect(items).toMatchObject([{ isTest: true, licenses: [{ isTest: true }] }]);
    } finally {
      await sandboxed.close();
    }
  });

  it('keeps no address of a buyer who was erased', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE.stripe.soldOnce(sale));
    const [license] = await seller.licenses();
    await seller.act(license.id, 'revoke');
    await seller.deletes(license.id);
    expect(await ordersOf(seller)).toMatchObject([{ buyer: null, licenses: [] }]);
    expect(await ordersOf(seller, `&buyer=${sale.email}`)).toEqual([]);
  });
});
