import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource, PROCESSOR_IDS, InboxService } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { otherSecret } from '../support/payment-signers.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';
import { Seller } from './seller.js';

const after = (sale: Sale, days: number): string => new Date(sale.at.getTime() + days * DAY).toISOString();

/** A Stripe event about a sale of `purchases.ts`. */
const stripe = (sale: Sale, seconds: number, type: string, object: object): Notification => ({
  id: `evt_${type}_${seconds}_${sale.tag}`,
  type,
  created: sale.at.getTime() / 1000 + seconds,
  livemode: true,
  data: { object },
});
const subscription = (sale: Sale, seconds: number, more: object): Notification =>
  stripe(sale, seconds, 'customer.subscription.updated', {
    id: `sub_${sale.tag}`,
    status: 'active',
    items: { data: [] },
    ...more,
  });
const dispute = (sale: Sale, seconds: number, what: 'created' | 'closed', status: string): Notification =>
  stripe(sale, seconds, `charge.dispute.${what}`, {
    id: `dp_${sale.tag}`,
    charge: `ch_${sale.tag}`,
    payment_intent: `pi_${sale.tag}`,
    status,
  });

describe('a sale', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  describe.each(PROCESSOR_IDS)('by %s', (processor) => {
    it('makes a license that follows its subscription, however often each notification arrives', async () => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      const life = subscriptionLife(processor, sale);
      const outcomes = await seller.sendAll(life);
      expect(outcomes.filter((outcome) => outcome === 'handled').length).toBeGreaterThanOrEqual(8);
      const [license, ...others] = await seller.licenses();
      expect(others).toEqual([]);
      expect(license).toMatchObject({
        planId: seller.planId,
        buyerEmail: sale.email,
        status: 'active',
        suspendedFor: null,
        expiresAt: after(sale, 90),
        source: expect.stringMatching(new RegExp(`^${processor}:.+${sale.tag}$`)),
      });
      expect(await seller.sendAll(life.toReversed())).toEqual(outcomes.toReversed());
      expect(await seller.licenses()).toEqual([license]);
      expect((await seller.inbox()).length).toBe(life.length);
    });

    it('without a subscription never expires, and a refund revokes it', async () => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      await seller.sendAll(oneOffSale(processor, sale));
      expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: null, buyerEmail: sale.email }]);
      await seller.sendAll(fullRefund(processor, sale));
      expect(await seller.licenses()).toMatchObject([{ status: 'revoked' }]);
    });

    it('whose refund arrives first makes a license that is revoked from the start', async () => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      await seller.sendAll([...fullRefund(processor, sale), ...oneOffSale(processor, sale)]);
      expect(await seller.licenses()).toMatchObject([{ status: 'revoked' }]);
    });

    it('delivered fifty times at once makes one license and one inbox item', async () => {
      const seller = await Seller.in(world, processor);
      const notifications = oneOffSale(processor, seller.sale());
      await seller.sendAll(notifications.slice(0, -1));
      const last = notifications.at(-1) as Notification;
      const answers = await Promise.all(Array.from({ length: 50 }, () => seller.send(last)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
        new Set(['200 {"outcome":"handled","status":"handled","reason":null}']),
      );
      expect((await seller.licenses()).length).toBe(1);
      expect((await seller.inbox()).length).toBe(notifications.length);
    });
  });

  it('delivered to two processes at once, in different orders, makes one license', async () => {
    const other = await startWorld({ with: world });
    try {
      const seller = await Seller.in(world, 'stripe');
      const sale = seller.sale();
      const life = [...subscriptionLife('stripe', sale), ...fullRefund('stripe', sale)];
      const tell = (via: World, notifications: readonly Notification[]) =>
        notifications.map((notification) => seller.send(notification, { via }));
      const answers = await Promise.all([...tell(world, life), ...tell(other, life.toReversed())]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: after(sale, 90) }]);
    } finally {
      await other.close();
    }
  });

  it('is handled at once by a process that has just started, with more of them than it has connections', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sales = Array.from({ length: 15 }, () => oneOffSale('stripe', seller.sale())).flat();
    const other = await startWorld({ with: world });
    try {
      const answers = await Promise.all(sales.map((notification) => seller.send(notification, { via: other })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await seller.licenses()).toHaveLength(15);
    } finally {
      await other.close();
    }
  });

  it('whose effect fails leaves no trace, so that the next delivery takes effect', async () => {
    const seller = await Seller.in(world, 'stripe');
    const [sold] = oneOffSale('stripe', seller.sale()) as [Notification];
    const run = (sql: string) => world.app.get(DataSource).query(sql);
    await run(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`);
    await run('create trigger fail before insert on inbox_item for each row execute function fail()');
    try {
      expect(await seller.send(sold)).toMatchObject({ status: 500, body: { code: 'internal' } });
    } finally {
      await run('drop function fail() cascade');
    }
    expect([await seller.licenses(), await seller.inbox()]).toEqual([[], []]);
    await seller.sendAll([sold]);
    expect((await seller.licenses()).length).toBe(1);
  });

  it('that no plan lists is recorded and listed, and takes effect by a replay once a plan does', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy', { products: [] });
    const sale = seller.sale();
    expect(await seller.sendAll(subscriptionLife('lemonsqueezy', sale).slice(0, 2))).toEqual(['handled', 'handled']);
    const unmapped = await seller.inbox('unmapped');
    const of = { buyer: sale.email, order: `orders-${sale.tag}` };
    expect(unmapped).toMatchObject([
      { processor: 'lemonsqueezy', kind: 'subscription_created', status: 'unmapped', ...of },
      {
        ...of,
        kind: 'order_created',
        reason: 'No plan lists any of 30, 20. Add one to the products of a plan, then replay this notification.',
      },
    ]);
    expect(await seller.replay(unmapped[1].id)).toBe('handled');
    expect([(await seller.licenses()).length, (await seller.inbox('unmapped')).length]).toEqual([0, 2]);
    // Once a day, since a shop may sell much that is no extension.
    const told = /^A sale at Lemon Squeezy made no license\. No plan lists any of 30, 20\./;
    expect(await seller.toldOfMissingLicenses()).toEqual([expect.stringMatching(told)]);
    await world.forward(DAY);
    await seller.sendAll(oneOffSale('lemonsqueezy', seller.sale()));
    expect(await seller.toldOfMissingLicenses()).toHaveLength(2);

    await seller.sells(['30']);
    expect(await seller.replay(unmapped[1].id)).toBe('handled');
    expect(await seller.replay(unmapped[0].id)).toBe('handled');
    expect(await seller.licenses()).toMatchObject([{ buyerEmail: sale.email, expiresAt: after(sale, 30) }]);
    expect((await seller.inbox('handled')).length).toBe(2);
  });

  it('goes to the plan that it names, unless that is another tenant’s', async () => {
    const [seller, stranger] = [await Seller.in(world, 'polar', { products: [] }), await Seller.in(world, 'polar')];
    for (const planId of [stranger.planId, 'no id']) await seller.sendAll(oneOffSale('polar', seller.sale({ planId })));
    expect(await seller.licenses()).toEqual([]);
    expect(await seller.inbox()).toMatchObject([{ status: 'unmapped' }, { status: 'unmapped' }]);
    await seller.sendAll(oneOffSale('polar', seller.sale({ planId: seller.planId })));
    expect(await seller.licenses()).toMatchObject([{ planId: seller.planId }]);
  });

  it('without an e-mail address waits until the customer is known', async () => {
    const seller = await Seller.in(world, 'paddle');
    const sale = seller.sale();
    const [customer, sold] = oneOffSale('paddle', sale) as [Notification, Notification];
    expect(await seller.sendAll([sold])).toEqual(['handled']);
    expect(await seller.inbox()).toMatchObject([{ status: 'waiting', reason: expect.stringContaining('e-mail') }]);
    expect(await seller.licenses()).toEqual([]);
    await seller.sendAll([customer]);
    expect(await seller.licenses()).toMatchObject([{ buyerEmail: sale.email }]);
    expect(await seller.inbox('waiting')).toEqual([]);
  });

  it.each([
    ['stripe', 'livemode', true, false],
    ['lemonsqueezy', 'test_mode', false, true],
    ['creem', 'mode', 'prod', 'test'],
    ['creem', 'mode', 'prod', 'sandbox'],
  ] as const)(
    'of %s’s test mode is ignored until its credential accepts tests; then a replay handles it',
    async (...of) => {
      const [processor, member, live, test] = of;
      const seller = await Seller.in(world, processor);
      const [sold] = oneOffSale(processor, seller.sale()) as [Notification];
      const told = JSON.stringify(sold, (name, value: unknown) => (name === member && value === live ? test : value));
      expect(await seller.sendAll([JSON.parse(told) as Notification])).toEqual(['ignored']);
      const [item] = await seller.inbox();
      expect(item).toMatchObject({ status: 'ignored', reason: expect.stringContaining('test mode') });
      expect(await seller.replay(item.id)).toBe('ignored');
      await seller.keeps({ webhookSecret: otherSecret(processor), testMode: true });
      expect(await seller.replay(item.id)).toBe('handled');
      expect((await seller.licenses()).length).toBe(1);
    },
  );

  it("lifts a suspension by payments, and never the tenant's own", async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(subscriptionLife('stripe', sale).slice(0, 4));
    const standing = async () => (await seller.licenses()).map(({ status, suspendedFor }) => [status, suspendedFor])[0];
    const [{ id }] = await seller.licenses();
    await seller.sendAll([subscription(sale, 10, { status: 'paused' })]);
    expect(await standing()).toEqual(['suspended', 'payment']);
    await seller.sendAll([subscription(sale, 20, {})]);
    expect(await standing()).toEqual(['active', null]);
    await seller.sendAll([subscription(sale, 30, { status: 'unpaid' })]);
    await seller.act(id, 'suspend');
    expect(await standing()).toEqual(['suspended', 'tenant']);
    await seller.sendAll([subscription(sale, 40, {})]);
    expect(await standing()).toEqual(['suspended', 'tenant']);
    await seller.act(id, 'reinstate');
    expect(await standing()).toEqual(['active', null]);
  });

  it('is suspended by a dispute, reinstated when it is won, and revoked when it is lost', async () => {
    const seller = await Seller.in(world, 'stripe');
    const [won, lost] = [seller.sale({ tag: 'won' }), seller.sale({ tag: 'lost' })];
    for (const sale of [won, lost])
      await seller.sendAll([...oneOffSale('stripe', sale), dispute(sale, 10, 'created', 'needs_response')]);
    expect(await seller.licenses()).toMatchObject([{ suspendedFor: 'dispute' }, { suspendedFor: 'dispute' }]);
    await seller.sendAll([dispute(won, 20, 'closed', 'won'), dispute(lost, 20, 'closed', 'lost')]);
    const statuses = (await seller.licenses()).map(({ buyerEmail, status }) => [buyerEmail, status]);
    expect(Object.fromEntries(statuses)).toEqual({ [won.email ?? '']: 'active', [lost.email ?? '']: 'revoked' });
  });

  it('that changes to another price moves the license to its plan', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(subscriptionLife('stripe', sale).slice(0, 4));
    const better = await world.given.plan(seller.tenant, seller.extensionId);
    await seller.sells(['price_2'], better);
    const [{ id }] = await seller.licenses();
    await seller.sendAll([
      subscription(sale, 60, { items: { data: [{ price: { id: 'price_2', product: 'prod_2' } }] } }),
    ]);
    expect(await seller.licenses()).toMatchObject([{ id, planId: better, status: 'active' }]);
  });

  it('whose license the tenant has deleted makes no other', async () => {
    const seller = await Seller.in(world, 'stripe');
    const life = subscriptionLife('stripe', seller.sale());
    await seller.sendAll(life.slice(0, 3));
    const [{ id }] = await seller.licenses();
    await seller.act(id, 'revoke');
    await seller.deletes(id);
    await seller.sendAll(life);
    expect(await seller.licenses()).toEqual([]);
  });

  it('loses its payload after 90 days, is still recognized as a duplicate, and can still be replayed', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy', { products: [] });
    const [sold] = oneOffSale('lemonsqueezy', seller.sale()) as [Notification];
    await seller.sendAll([sold]);
    await world.forward(91 * DAY);
    await world.app.get(InboxService).deleteOld();
    const kept = await world.app
      .get(DataSource)
      .query('select payload from inbox_item where tenant_id = $1', [seller.tenant.tenantId]);
    expect(kept).toEqual([{ payload: null }]);
    expect(await seller.sendAll([sold])).toEqual(['handled']);
    const cookie =
      (await world.api.post('/auth/login', { email: seller.tenant.email, password: seller.tenant.password })).headers
        .get('set-cookie')
        ?.split(';')[0] ?? '';
    const later = { cookie, token: await world.given.token({ cookie }) };
    const list = [{ processor: 'lemonsqueezy', productId: '30' }];
    await world.api.as(later).call('PUT', `/plans/${seller.planId}/products`, list);
    const { items } = (await world.api.as(later).get('/webhooks/inbox')).body;
    expect(items.length).toBe(1);
    await world.api.as(later).post(`/webhooks/inbox/${items[0].id}/replay`, {});
    expect((await world.api.as(later).get('/licenses')).body.items).toMatchObject([{ planId: seller.planId }]);
  });
});
