import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, LicenseExpiryService, startWorld, TrialUpkeepService, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { fullRefund, oneOffSale } from '../support/purchases.js';
import { TrialOffer } from '../licensing/trials/trials.js';
import { Seller } from '../webhooks/seller.js';
import { Listening } from './listening.js';

const DAY = 86_400_000;

describe('the stream of changes, of what began long before', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** Makes the trials of an extension ones of an hour ago: their ids are times. */
  const age = async (extensionId: string): Promise<void> => {
    const hourAgo = (Date.now() - 3_600_000).toString(16).padStart(12, '0');
    await world.app
      .get(DataSource)
      .query('update trial set id = overlay(id::text placing $2 from 1 for 13)::uuid where extension_id = $1', [
        extensionId,
        `${hourAgo.slice(0, 8)}-${hourAgo.slice(8)}`,
      ]);
  };

  it('tells that a trial became a license', async () => {
    const offer = await TrialOffer.open(world);
    const device = await offer.tried();
    await age(offer.extensionId);
    const listening = await Listening.to(world, offer.tenant.token);
    await offer.bought(device);
    await listening.change('trials');
    await listening.leave();
  });

  it('tells that a trial has ended, and that a license has expired', async () => {
    const offer = await TrialOffer.open(world);
    await offer.tried();
    await age(offer.extensionId);
    const expiresAt = new Date(world.clock.now().getTime() + 14 * DAY).toISOString();
    const { planId, extensionId } = offer;
    expectStatus(await offer.mine('POST', '/licenses', { planId, expiresAt, buyerEmail: 'ann@buyer.example' }), 201);
    world.clock.forward(14 * DAY + 1000);
    const listening = await Listening.to(world, offer.tenant.token);
    await world.app.get(LicenseExpiryService).check();
    await listening.hears(({ data }) => data['resource'] === 'licenses' && data['extensionId'] === extensionId);
    await world.app.get(TrialUpkeepService).tellEnded();
    const id = (await offer.trials())[0]?.id;
    await listening.hears(({ data }) => data['resource'] === 'trials' && data['id'] === id);
    await listening.leave();
  });

  it('tells a token for one extension of the orders of that extension', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy');
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('lemonsqueezy', sale));
    const owner = { cookie: seller.tenant.cookie };
    const tokenFor = async (extensionId: string): Promise<string> => {
      const wanted = { name: 'CI', scopes: ['*'], extensionIds: [extensionId] };
      return expectStatus(await world.api.as(owner).post('/access-tokens', wanted), 201).body.token;
    };
    const restricted = await Listening.to(world, await tokenFor(seller.extensionId));
    const elsewhere = await Listening.to(world, await tokenFor(await world.given.extension(seller.tenant)));
    await seller.sendAll(fullRefund('lemonsqueezy', sale).map(inPart));
    const [order] = expectStatus(await world.api.as(seller.tenant).get('/orders'), 200).body.items;
    expect(order.refunded).toMatchObject({ currency: 'USD' });
    await restricted.hears(({ data }) => data['resource'] === 'orders' && data['id'] === order.id);
    expect(elsewhere.resources).toEqual([]);
    for (const one of [restricted, elsewhere]) await one.leave();
  });

  it('tells that a notification was handled once its order has a plan', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [] });
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    const api = world.api.as(seller.tenant);
    const [order] = expectStatus(await api.get('/orders'), 200).body.items;
    const listening = await Listening.to(world, seller.tenant.token);
    expectStatus(await api.post(`/orders/${order.id}/plan`, { planId: seller.planId }), 200);
    await listening.change('inbox');
    await listening.leave();
  });
});

/** A refund that gives back a third. */
function inPart(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const data = event['data'] as { readonly attributes: object };
  const attributes = {
    ...data.attributes,
    status: 'partial_refund',
    refunded: false,
    refunded_amount: 300,
    currency: 'USD',
  };
  return { ...event, data: { ...data, attributes } };
}
