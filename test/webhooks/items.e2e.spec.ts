import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessorId } from '../../src/payments/index.js';
import { MailDeliveryWorker, PROCESSOR_IDS, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { oneOffSale, type Notification, type Sale } from '../support/purchases.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { SoldItem } from '../support/processor-events/events.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { partOf, type SmtpServer } from '../support/smtp-server.js';
import { codeOf } from '../licensing/delivery/codes.js';
import { expectStatus } from '../support/given.js';
import { Seller } from './seller.js';

const itemOf = (processor: ProcessorId, number: number, quantity = 1): SoldItem => ({
  ...(FULL_SIZE[processor].items[number - 1] as SoldItem),
  quantity,
});
const listedAs = (processor: ProcessorId, number: number): string =>
  itemOf(processor, number)[FULL_SIZE[processor].listedBy];

/** What makes a payment of its own one that is charged to a subscriber. */
const CHARGES: Readonly<Record<'stripe' | 'paddle', (sale: Sale) => object>> = {
  stripe: ({ tag }) => ({
    id: `in_9_${tag}`,
    payment_intent: `pi_9_${tag}`,
    parent: { type: 'subscription_details', subscription_details: { metadata: {}, subscription: `sub_${tag}` } },
  }),
  paddle: ({ tag }) => ({ id: `txn_9_${tag}`, origin: 'subscription_charge', subscription_id: `sub_${tag}` }),
};

describe('a purchase', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  /** A seller of a plan of three devices, and of another of the same extension. */
  const sellerOf = async (processor: ProcessorId, perUnit?: 'license') => {
    const seller = await Seller.in(world, processor, { products: [] });
    await seller.sells([listedAs(processor, 1)], seller.planId, perUnit);
    const better = await world.given.plan(seller.tenant, seller.extensionId);
    await seller.sells([listedAs(processor, 2)], better);
    const [{ maxActivations }] = (await world.api.as(seller.tenant).get(`/plans?extension=${seller.extensionId}`)).body
      .items;
    return { seller, better, devices: Number(maxActivations), events: FULL_SIZE[processor] };
  };
  const standing = async (seller: Seller) =>
    (await seller.licenses())
      .map(({ planId, status, seats }) => ({ planId, status, seats: Number(seats.max) }))
      .toReversed();

  describe.each(PROCESSOR_IDS)('at %s', (processor) => {
    it('of a quantity multiplies the devices, and follows the quantity when it changes', async () => {
      const { seller, devices, events } = await sellerOf(processor);
      const sale = seller.sale();
      await seller.sendAll(events.paidMonth(sale, 1, { items: [itemOf(processor, 1, 5)] }));
      expect(await standing(seller)).toEqual([{ planId: seller.planId, status: 'active', seats: 5 * devices }]);
      await seller.sendAll([events.subscription(sale, 3, 1, { items: [itemOf(processor, 1, 2)] })]);
      expect(await standing(seller)).toMatchObject([{ seats: 2 * devices }]);
      await seller.sendAll([events.subscription(sale, 4, 1, { items: [itemOf(processor, 1)] })]);
      expect(await seller.licenses()).toMatchObject([{ maxActivations: null, seats: { max: devices } }]);
    });

    it('that is sold once lasts as long as its plan says, and a subscription as long as it is paid', async () => {
      const { seller, events } = await sellerOf(processor);
      const shop = await Seller.in(world, processor);
      for (const { tenant, planId } of [seller, shop])
        expectStatus(await world.api.as(tenant).patch(`/plans/${planId}`, { duration: 'P1Y' }), 200);
      const once = shop.sale();
      await shop.sendAll(oneOffSale(processor, once));
      const [bought] = await shop.licenses();
      const lasts = Date.parse(bought?.expiresAt ?? '') - once.at.getTime();
      expect(Math.round(lasts / DAY)).toBeGreaterThanOrEqual(365);
      expect(Math.round(lasts / DAY)).toBeLessThanOrEqual(366);
      // It is told again, which moves nothing.
      await shop.sendAll(oneOffSale(processor, once));
      expect((await shop.licenses()).map(({ expiresAt }) => expiresAt)).toEqual([bought?.expiresAt]);
      const subscribed = seller.sale();
      await seller.sendAll(events.paidMonth(subscribed, 1, { items: [itemOf(processor, 1)] }));
      const [license] = await seller.licenses();
      expect(Date.parse(license?.expiresAt ?? '') - subscribed.at.getTime()).toBeLessThan(40 * DAY);
    });

    it('renews a license of another plan that the seller chose, and moves it when the buyer changes the item', async () => {
      const { seller, better, devices, events } = await sellerOf(processor);
      const chosen = await world.given.plan(seller.tenant, seller.extensionId);
      const sale = seller.sale();
      await seller.sendAll(events.paidMonth(sale, 1, { items: [itemOf(processor, 1)] }));
      const [license] = await seller.licenses();
      expectStatus(await world.api.as(seller.tenant).patch(`/licenses/${license?.id}`, { planId: chosen }), 200);
      await seller.sendAll(events.paidMonth(sale, 2, { items: [itemOf(processor, 1)] }));
      const [renewed] = await seller.licenses();
      expect(renewed).toMatchObject({ id: license?.id, planId: chosen, status: 'active' });
      expect(Date.parse(renewed?.expiresAt ?? '')).toBeGreaterThan(Date.parse(license?.expiresAt ?? ''));
      await seller.sendAll([events.subscription(sale, 35, 2, { items: [itemOf(processor, 1, 2)] })]);
      expect(await seller.licenses()).toMatchObject([{ planId: chosen, maxActivations: 2 * devices }]);
      await seller.sendAll([events.subscription(sale, 40, 2, { items: [itemOf(processor, 2)] })]);
      expect(await seller.licenses()).toMatchObject([{ id: license?.id, planId: better }]);
    });

    it('of a quantity of licenses issues as many, each with its own mail', async () => {
      const { seller, devices, events } = await sellerOf(processor, 'license');
      const sale = seller.sale();
      await seller.sendAll(events.paidMonth(sale, 1, { items: [itemOf(processor, 1, 3)] }));
      const one = { planId: seller.planId, status: 'active', seats: devices };
      expect(await standing(seller)).toEqual([one, one, one]);
      await world.app.get(MailDeliveryWorker).tick();
      const mails = smtp.to(sale.email ?? '');
      expect(new Set(mails.map(codeOf)).size).toBe(3);
      for (const mail of mails)
        expect(partOf(mail, 'text/plain')).toContain('You bought 3 licenses. Each has its own code');
      await seller.sendAll([events.subscription(sale, 3, 1, { items: [itemOf(processor, 1, 4)] })]);
      expect(await standing(seller)).toEqual([one, one, one, one]);
      await seller.sendAll([events.subscription(sale, 4, 1, { items: [itemOf(processor, 1, 2)] })]);
      const expired = { ...one, status: 'expired' };
      expect(await standing(seller)).toEqual([one, one, expired, expired]);
      await seller.sendAll(events.paidMonth(sale, 2, { items: [itemOf(processor, 1, 2)] }));
      expect(await standing(seller)).toEqual([one, one, expired, expired]);
    });

    it('moves to the plan that lists its new item, although another was named at checkout', async () => {
      const { seller, better, events } = await sellerOf(processor);
      await seller.sells([]);
      const sale = seller.sale({ planId: seller.planId });
      await seller.sendAll(events.paidMonth(sale, 1, { items: [itemOf(processor, 1)] }));
      const [{ id, codeHint }] = await seller.licenses();
      expect(await standing(seller)).toMatchObject([{ planId: seller.planId }]);
      await seller.sendAll([events.subscription(sale, 3, 1, { items: [itemOf(processor, 2)] })]);
      expect(await seller.licenses()).toMatchObject([{ id, codeHint, planId: better, status: 'active' }]);
      await seller.sendAll(events.paidMonth(sale, 2, { items: [itemOf(processor, 2)] }));
      expect(await seller.licenses()).toMatchObject([{ id, planId: better }]);
    });
  });

  describe.each(['stripe', 'paddle'] as const)('at %s', (processor) => {
    const [one, two, three] = [1, 2, 3].map((number) => itemOf(processor, number)) as [SoldItem, SoldItem, SoldItem];

    it('of two plans issues a license of each, and lists an item that no plan has until one does', async () => {
      const { seller, better, devices, events } = await sellerOf(processor);
      const sale = seller.sale();
      const third = await world.given.plan(seller.tenant, seller.extensionId);
      await seller.sendAll(events.paidMonth(sale, 1, { items: [one, { ...two, quantity: 2 }, three] }));
      const bought = [
        { planId: seller.planId, status: 'active', seats: devices },
        { planId: better, status: 'active', seats: 2 * devices },
      ];
      expect(await standing(seller)).toEqual(bought);
      const [unmapped] = await seller.inbox('unmapped');
      expect(unmapped.reason).toBe(
        `No plan lists any of ${three.price}, ${three.product}. Add one to the products of a plan, then replay this notification.`,
      );
      await seller.sells([three.price], third);
      expect(await seller.replay(unmapped.id)).toBe('handled');
      expect(await standing(seller)).toEqual([...bought, { planId: third, status: 'active', seats: devices }]);
      expect(await seller.inbox('unmapped')).toEqual([]);
    });

    it('that drops one plan ends only its license, and adding it again revives the license', async () => {
      const { seller, better, events } = await sellerOf(processor);
      const sale = seller.sale();
      const notifications = events.paidMonth(sale, 1, { items: [one, two] });
      await seller.sendAll(notifications);
      await seller.sendAll([events.subscription(sale, 3, 1, { items: [two] })]);
      expect(await standing(seller)).toMatchObject([
        { planId: seller.planId, status: 'expired' },
        { planId: better, status: 'active' },
      ]);
      await seller.sendAll([...notifications, events.subscription(sale, 4, 1, { items: [two, one] })]);
      expect(await standing(seller)).toMatchObject([
        { planId: seller.planId, status: 'active' },
        { planId: better, status: 'active' },
      ]);
    });

    it('of a subscription and of something sold once with it keeps the latter when the subscription ends', async () => {
      const { seller, better, events } = await sellerOf(processor);
      const sale = seller.sale({ at: new Date(Math.floor(world.clock.now().getTime() / DAY - 50) * DAY) });
      await seller.sendAll(events.paidMonth(sale, 1, { items: [one, { ...two, isOnce: true }] }));
      await seller.sendAll(events.paidMonth(sale, 2, { items: [one] }));
      const once = { planId: better, status: 'active', expiresAt: null };
      const newestLast = async () => (await seller.licenses()).toReversed();
      expect(await newestLast()).toMatchObject([{ planId: seller.planId, status: 'active' }, once]);
      expect(await seller.inbox('unmapped')).toEqual([]);
      await seller.sendAll([events.ended(sale, 40, 2)]);
      expect(await newestLast()).toMatchObject([{ planId: seller.planId, status: 'expired' }, once]);
      await seller.sendAll(events.refundedMonth(sale, 1, 42));
      expect(await newestLast()).toMatchObject([{ status: 'expired' }, { planId: better, status: 'expired' }]);
    });

    it('charged once to a subscriber issues a license, which its own refund takes back, and no other', async () => {
      const { seller, better, events } = await sellerOf(processor);
      const sale = seller.sale();
      await seller.sendAll(events.paidMonth(sale, 1));
      const charge = CHARGES[processor](sale);
      const [, charged] = events.soldOnce(sale, { items: [two], with: charge });
      await seller.sendAll([charged as Notification]);
      const newestLast = async () => (await seller.licenses()).toReversed();
      const [subscribed, bought] = await newestLast();
      expect([subscribed, bought]).toMatchObject([
        { planId: seller.planId, status: 'active' },
        { planId: better, status: 'active', expiresAt: null },
      ]);
      expect(subscribed.expiresAt).not.toBeNull();
      await seller.sendAll(events.refundedMonth(sale, 9, 3));
      expect(await newestLast()).toEqual([subscribed, expect.objectContaining({ id: bought.id, status: 'expired' })]);
    });

    it('of two plans without a subscription issues a license of each, and a refund revokes both', async () => {
      const { seller, better, events } = await sellerOf(processor);
      const sale = seller.sale();
      await seller.sendAll(events.soldOnce(sale, { items: [one, two] }));
      expect(await standing(seller)).toMatchObject([{ planId: seller.planId }, { planId: better }]);
      expect(await seller.licenses()).toMatchObject([{ expiresAt: null }, { expiresAt: null }]);
      await seller.sendAll(events.refundedMonth(sale, 1, 3));
      expect(await standing(seller)).toMatchObject([{ status: 'revoked' }, { status: 'revoked' }]);
    });
  });

  it.each(['revoked', 'deleted'] as const)(
    'in a lower quantity gives up the license that was %s before one that works',
    async (how) => {
      const { seller, events } = await sellerOf('stripe', 'license');
      const sale = seller.sale();
      await seller.sendAll(events.paidMonth(sale, 1, { items: [itemOf('stripe', 1, 3)] }));
      const { id } = (await seller.licenses()).at(-1);
      await seller.act(id, 'revoke');
      if (how === 'deleted') await seller.deletes(id);
      await seller.sendAll([events.subscription(sale, 3, 1, { items: [itemOf('stripe', 1, 2)] })]);
      expect((await seller.licenses()).filter(({ status }) => status === 'active').length).toBe(2);
      await seller.sendAll([events.subscription(sale, 4, 1, { items: [itemOf('stripe', 1, 3)] })]);
      expect((await seller.licenses()).filter(({ status }) => status === 'active').length).toBe(2);
    },
  );

  // https://docs.stripe.com/billing/subscriptions/mixed-interval
  it('of a month of one plan and a year of another at Stripe ends each with its own period', async () => {
    const { seller, better, events } = await sellerOf('stripe');
    const sale = seller.sale({ at: new Date(Math.floor(world.clock.now().getTime() / DAY - 40) * DAY) });
    const [monthly, yearly] = [itemOf('stripe', 1), { ...itemOf('stripe', 2), months: 12 }];
    const ends = async () => (await seller.licenses()).map(({ planId, expiresAt }) => [planId, expiresAt]).toReversed();
    const dayOf = (day: number) => new Date(sale.at.getTime() + day * DAY).toISOString();
    const year = [better, dayOf(360)];
    await seller.sendAll(events.paidMonth(sale, 1, { items: [monthly, yearly] }));
    expect(await ends()).toEqual([[seller.planId, dayOf(30)], year]);
    const [, renewal] = events.paidMonth(sale, 2, { items: [monthly] });
    await seller.sendAll([events.subscription(sale, 30, 2, { items: [monthly, yearly] }), renewal as Notification]);
    expect(await ends()).toEqual([[seller.planId, dayOf(60)], year]);
    const [, , link] = events.paidMonth(sale, 2);
    await seller.sendAll([link as Notification, ...events.refundedMonth(sale, 2, 39)]);
    expect(await ends()).toEqual([[seller.planId, dayOf(30)], year]);
  });

  it('for more devices than a plan has can be raised by hand, too, and by a change of many', async () => {
    const { seller, devices, events } = await sellerOf('stripe');
    await seller.sendAll(events.paidMonth(seller.sale(), 1, { items: [itemOf('stripe', 1, 200)] }));
    const [{ id, seats }] = await seller.licenses();
    expect(seats.max).toBe(200 * devices);
    const api = world.api.as(seller.tenant);
    expectStatus(await api.patch(`/licenses/${id}`, { maxActivations: 700 }), 200);
    expect(await seller.licenses()).toMatchObject([{ id, seats: { max: 700 } }]);
    expectStatus(await api.post('/licenses/bulk', { action: 'raise', ids: [id], maxActivations: 900 }), 200);
    expect(await seller.licenses()).toMatchObject([{ id, seats: { max: 900 } }]);
  });

  it('keeps its plan when the tenant lists its product under another, until a replay', async () => {
    const { seller, better, events } = await sellerOf('paddle');
    const sale = seller.sale();
    await seller.sendAll(events.paidMonth(sale, 1));
    await seller.sells([]);
    await seller.sells(['pri_1', 'pri_2'], better);
    await seller.sendAll(events.paidMonth(sale, 2));
    expect(await standing(seller)).toMatchObject([{ planId: seller.planId }]);
    const [{ id }] = await seller.inbox('handled');
    await seller.replay(id);
    expect(await standing(seller)).toMatchObject([{ planId: better }]);
  });
});
