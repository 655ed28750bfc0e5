import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, PROCESSOR_IDS } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { creemDispute } from '../support/processor-events/creem.js';
import { dodoDispute } from '../support/processor-events/dodo.js';
import { fullRefund, oneOffSale, type Notification, type Sale } from '../support/purchases.js';
import { Seller } from './seller.js';

const dayOf = (sale: Sale, day: number): string => new Date(sale.at.getTime() + day * DAY).toISOString();

/** Whether a notification is a processor's own word that the subscription is in good standing, and not a payment. */
const saysThatItStands = (notification: Notification): boolean => {
  const { type, eventType, event_type, meta } = notification as {
    readonly type?: string;
    readonly eventType?: string;
    readonly event_type?: string;
    readonly meta?: { readonly event_name: string };
  };
  return /subscription[._](?!pa(?:yment|id))/.test(type ?? eventType ?? event_type ?? meta?.event_name ?? '');
};

/** A dispute of a payment at Stripe, as it stands on a day. */
const dispute = (sale: Sale, payment: string, status: 'needs_response' | 'lost', day: number): Notification => ({
  id: `evt_${status}_${payment}_${day}_${sale.tag}`,
  type: status === 'lost' ? 'charge.dispute.closed' : 'charge.dispute.created',
  created: sale.at.getTime() / 1000 + day * 86_400,
  livemode: true,
  data: { object: { id: `dp_${payment}_${sale.tag}`, charge: `ch_${payment}`, payment_intent: payment, status } },
});

describe('a refund', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** Two months are paid; we are in the second. */
  const subscriber = async (processor: (typeof PROCESSOR_IDS)[number]) => {
    const seller = await Seller.in(world, processor);
    const sale = seller.sale({ at: new Date(Math.floor(world.clock.now().getTime() / DAY) * DAY - 40 * DAY) });
    const events = FULL_SIZE[processor];
    await seller.sendAll([...events.paidMonth(sale, 1), ...events.paidMonth(sale, 2)]);
    return { seller, sale, events };
  };

  // https://docs.stripe.com/invoicing/integration: both events carry the same invoice.
  it('of a month that Stripe told by invoice.payment_succeeded alone is one like any other', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale({ at: new Date(Math.floor(world.clock.now().getTime() / DAY) * DAY - 10 * DAY) });
    const renamed = JSON.stringify(FULL_SIZE.stripe.paidMonth(sale, 1)).replaceAll(
      '"invoice.paid"',
      '"invoice.payment_succeeded"',
    );
    await seller.sendAll(JSON.parse(renamed));
    expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: dayOf(sale, 30) }]);
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(sale, 1));
    expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: dayOf(sale, 30) }]);
    await seller.sendAll(FULL_SIZE.stripe.refundedMonth(sale, 1, 10));
    expect(await seller.licenses()).toMatchObject([{ status: 'expired' }]);
  });

  // https://polar.sh/docs/features/refunds: an order tied to a subscription takes no access when it is refunded.
  it('of a subscription’s order at Polar leaves access', async () => {
    const { seller, sale, events } = await subscriber('polar');
    const before = await seller.licenses();
    await seller.sendAll(events.refundedMonth(sale, 2, 40));
    expect(await seller.licenses()).toEqual(before);
  });

  describe.each(PROCESSOR_IDS.filter((id) => id !== 'polar'))('at %s', (processor) => {
    it('of the current month ends the license immediately, and the next paid month revives it', async () => {
      const { seller, sale, events } = await subscriber(processor);
      const [bought] = await seller.licenses();
      expect(bought).toMatchObject({ status: 'active', expiresAt: dayOf(sale, 60) });
      await seller.sendAll(events.refundedMonth(sale, 2, 40));
      expect(await seller.licenses()).toMatchObject([
        { id: bought.id, status: 'expired', expiresAt: dayOf(sale, 30), revokedFor: null },
      ]);
      await seller.sendAll(events.paidMonth(sale, 3));
      const renewed = await seller.licenses();
      expect(renewed).toMatchObject([{ id: bought.id, status: 'active', expiresAt: dayOf(sale, 90) }]);
      await seller.sendAll([...events.refundedMonth(sale, 2, 40), ...events.paidMonth(sale, 1)].toReversed());
      expect(await seller.licenses()).toEqual(renewed);
      const reasons = (await seller.inbox()).flatMap(({ status, reason }) => (status === 'ignored' ? [] : reason));
      expect(new Set(reasons)).toEqual(new Set([null, 'It is recorded, and changes no license.']));
    });
  });

  describe.each(PROCESSOR_IDS)('at %s', (processor) => {
    it('of a past month does not affect the current one', async () => {
      const { seller, sale, events } = await subscriber(processor);
      const before = await seller.licenses();
      await seller.sendAll(events.refundedMonth(sale, 1, 40));
      expect(await seller.licenses()).toEqual(before);
    });

    it('with the end of the subscription leaves the paid time, and only the processor revives the license', async () => {
      const { seller, sale, events } = await subscriber(processor);
      await seller.sendAll([events.ended(sale, 40, 2), ...events.refundedMonth(sale, 2, 40)]);
      const ended = await seller.licenses();
      // Polar's refund of an order leaves access to the end of the subscription.
      const lastDay = processor === 'polar' ? 40 : 30;
      expect(ended).toMatchObject([{ status: 'expired', expiresAt: dayOf(sale, lastDay) }]);
      const next = events.paidMonth(sale, 3);
      await seller.sendAll(next.filter((one) => !saysThatItStands(one)));
      expect(await seller.licenses()).toMatchObject([{ status: 'expired' }]);
      const reasons = (await seller.inbox()).map(({ reason }) => String(reason));
      expect(reasons.some((reason) => reason.includes('ended with its subscription'))).toBe(
        events.namesPeriodApart !== true,
      );
      await seller.sendAll(next.filter(saysThatItStands));
      expect(await seller.licenses()).toMatchObject([
        { id: ended[0].id, status: 'active', expiresAt: dayOf(sale, 90), revokedFor: null },
      ]);
    });

    it('of something sold once revokes the license until the tenant reinstates it', async () => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      await seller.sendAll([...oneOffSale(processor, sale), ...fullRefund(processor, sale)]);
      const [{ id }] = await seller.licenses();
      expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'refund' }]);
      await seller.act(id, 'reinstate');
      expect(await seller.licenses()).toMatchObject([{ status: 'active', revokedFor: null, expiresAt: null }]);
      await seller.sendAll([...fullRefund(processor, sale), ...oneOffSale(processor, sale)]);
      expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
    });
  });

  it('is forestalled by a dispute, which suspends the license at Dodo Payments until it is won or lost', async () => {
    for (const [end, license] of [
      ['won', { status: 'active', revokedFor: null }],
      ['cancelled', { status: 'active', revokedFor: null }],
      ['lost', { status: 'revoked', revokedFor: 'dispute' }],
    ] as const) {
      const seller = await Seller.in(world, 'dodo');
      const sale = seller.sale();
      await seller.sendAll([...oneOffSale('dodo', sale), dodoDispute(sale, 0, 'opened', 'pre_dispute')]);
      expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
      await seller.sendAll([dodoDispute(sale, 1, 'opened')]);
      expect(await seller.licenses()).toMatchObject([{ status: 'suspended' }]);
      await seller.sendAll([dodoDispute(sale, 3, end), dodoDispute(sale, 2, 'challenged')]);
      expect(await seller.licenses()).toMatchObject([license]);
    }
  });

  it('follows a dispute at Creem, which suspends the license until the tenant reinstates it', async () => {
    const seller = await Seller.in(world, 'creem');
    const sale = seller.sale();
    await seller.sendAll([creemDispute(sale, 1), ...oneOffSale('creem', sale)]);
    const [{ id }] = await seller.licenses();
    expect(await seller.licenses()).toMatchObject([{ status: 'suspended' }]);
    await seller.act(id, 'reinstate');
    expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
    await seller.sendAll(fullRefund('creem', sale));
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'refund' }]);
  });

  it('that seemed to be of a one-off sale reinstates the license once the subscription is known', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy');
    const sale = seller.sale();
    const { paidMonth, refundedMonth } = FULL_SIZE.lemonsqueezy;
    const [order, ...subscription] = paidMonth(sale, 1);
    await seller.sendAll([order as Notification, ...refundedMonth(sale, 1, 3).slice(0, 1)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'refund' }]);
    await seller.sendAll([...subscription, ...paidMonth(sale, 2)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'active', revokedFor: null, expiresAt: dayOf(sale, 60) }]);
  });

  it('can be overruled by the tenant, as can a lost dispute, but not a revocation by the tenant', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll([...oneOffSale('stripe', sale), dispute(sale, `pi_${sale.tag}`, 'lost', 1)]);
    const [{ id }] = await seller.licenses();
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'dispute' }]);
    await seller.act(id, 'reinstate');
    expect(await seller.licenses()).toMatchObject([{ status: 'active', revokedFor: null }]);
    await seller.sendAll(fullRefund('stripe', sale));
    expect(await world.api.as(seller.tenant).post(`/licenses/${id}/suspend`, {})).toMatchObject({
      status: 409,
      body: { detail: 'A refund or a dispute revoked the license. Reinstate it first.' },
    });
    await seller.act(id, 'revoke');
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'tenant' }]);
    expect(await world.api.as(seller.tenant).post(`/licenses/${id}/reinstate`, {})).toMatchObject({
      status: 409,
      body: { code: 'license_revoked' },
    });
  });

  it('and a renewal leave a license the end that its tenant gave it, until more is paid for', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    const { paidMonth, refundedMonth } = FULL_SIZE.stripe;
    await seller.sendAll(paidMonth(sale, 1));
    const [{ id }] = await seller.licenses();
    const change = async (expiresAt: string | null): Promise<void> => {
      expect((await world.api.as(seller.tenant).patch(`/licenses/${id}`, { expiresAt })).status).toBe(200);
    };
    await change(null);
    await seller.sendAll(paidMonth(sale, 2));
    expect(await seller.licenses()).toMatchObject([{ expiresAt: null }]);
    await change(dayOf(sale, 100));
    await seller.sendAll([...refundedMonth(sale, 2, 40), ...paidMonth(sale, 3)]);
    expect(await seller.licenses()).toMatchObject([{ expiresAt: dayOf(sale, 100) }]);
    await seller.sendAll(paidMonth(sale, 4));
    expect(await seller.licenses()).toMatchObject([{ expiresAt: dayOf(sale, 120) }]);
  });

  it('can be overruled without effect on a dispute that is lost later', async () => {
    const { seller, sale, events } = await subscriber('stripe');
    const [{ id }] = await seller.licenses();
    const [first, second] = [1, 2].map((month) => `pi_${month}_${sale.tag}`) as [string, string];
    const opened = dispute(sale, first, 'needs_response', 2);
    await seller.sendAll([opened, dispute(sale, first, 'lost', 5)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'dispute' }]);
    await seller.act(id, 'reinstate');
    await seller.sendAll([dispute(sale, first, 'lost', 6), opened, dispute(sale, first, 'needs_response', 7)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: dayOf(sale, 60) }]);
    await seller.sendAll([dispute(sale, second, 'needs_response', 35)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'suspended', suspendedFor: 'dispute' }]);
    await seller.sendAll([dispute(sale, second, 'lost', 38)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'dispute' }]);
    await seller.act(id, 'reinstate');
    const repeated = [dispute(sale, second, 'lost', 39), dispute(sale, first, 'lost', 40)];
    await seller.sendAll([...repeated, ...events.paidMonth(sale, 3)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'active', expiresAt: dayOf(sale, 90) }]);
  });

  it('of something sold once revokes the license once, and so does a dispute that is lost later', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    const { soldOnce, refundedMonth } = FULL_SIZE.stripe;
    await seller.sendAll([...soldOnce(sale), ...refundedMonth(sale, 1, 2)]);
    const [{ id }] = await seller.licenses();
    await seller.act(id, 'reinstate');
    await seller.sendAll([dispute(sale, `pi_1_${sale.tag}`, 'lost', 4)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'dispute' }]);
    await seller.act(id, 'reinstate');
    await seller.sendAll([...refundedMonth(sale, 1, 5), dispute(sale, `pi_1_${sale.tag}`, 'lost', 6)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'active', revokedFor: null }]);
  });

  it('or a lost dispute that the tenant overruled does not revoke licenses that are bought later', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [] });
    await seller.sells(['price_1'], seller.planId, 'license');
    const sale = seller.sale();
    const { paidMonth, subscription } = FULL_SIZE.stripe;
    await seller.sendAll([...paidMonth(sale, 1), dispute(sale, `pi_1_${sale.tag}`, 'lost', 1)]);
    const [{ id }] = await seller.licenses();
    await seller.act(id, 'reinstate');
    const items = [{ price: 'price_1', product: 'prod_1', quantity: 2 }];
    await seller.sendAll([subscription(sale, 3, 1, { items })]);
    expect(await seller.licenses()).toMatchObject([{ status: 'active' }, { id, status: 'active' }]);
  });

  it('followed by a payment lists that payment with a reason and notifies the team', async () => {
    const { seller, sale, events } = await subscriber('paddle');
    const [{ id, codeHint }] = await seller.licenses();
    await seller.act(id, 'revoke');
    await seller.sendAll(events.paidMonth(sale, 3));
    const reason = `A payment for a further period arrived, but the license …${codeHint} was revoked by your team. End the subscription and refund the payment, or issue another license.`;
    expect(await seller.inbox('handled')).toContainEqual(
      expect.objectContaining({ kind: 'transaction.completed', reason }),
    );
    const { items } = (await world.api.as(seller.tenant).get('/notifications')).body;
    expect(items).toMatchObject([
      { kind: 'payment_on_ended_license', message: reason, extensionId: seller.extensionId },
    ]);
    await seller.sendAll(events.paidMonth(sale, 3));
    expect((await world.api.as(seller.tenant).get('/notifications')).body.items.length).toBe(1);
  });
});
