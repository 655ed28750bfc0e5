import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, LicenseExpiryService, PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import { DAY, HOUR, SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { subscriptionLife } from '../support/purchases.js';
import { Receiver } from '../notifications/receiver.js';
import { Seller } from './seller.js';

describe('a license that a subscription renews', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    world = await startWorld();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const told = async (seller: Seller): Promise<readonly string[]> => {
    await world.app.get(LicenseExpiryService).check();
    const { items } = expectStatus(await world.api.as(seller.tenant).get('/notifications'), 200).body;
    return items
      .flatMap(({ kind }: { readonly kind: string }) => (/expir|renewed/.test(kind) ? [kind] : []))
      .toReversed();
  };

  /** The clock of the stores moves by whole seconds. */
  const forwardTo = (time: number): Promise<void> =>
    world.forward(Math.ceil((time - world.clock.now().getTime()) / SECOND) * SECOND);

  /** The buyer of a subscription whose first month is paid, with a device. */
  const subscriber = async (processor: (typeof PROCESSOR_IDS)[number], terms: object = {}) => {
    const seller = await Seller.in(world, processor);
    const api = world.api.as(seller.tenant);
    if (Object.keys(terms).length > 0) expectStatus(await api.patch(`/plans/${seller.planId}`, terms), 200);
    const events = ['license.expiring', 'license.expired', 'license.renewed'];
    const endpoint = { kind: 'webhook', url: receiver.url(`/${randomUUID()}`), events };
    expectStatus(await api.post('/notifications/endpoints', endpoint), 201);
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE[processor].paidMonth(sale, 1));
    const [{ id }] = await seller.licenses();
    const { code } = expectStatus(await api.post(`/licenses/${id}/rotate`), 200).body;
    const device = { code, extensionId: seller.extensionId, fingerprint: randomUUID() };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
    const onDay = (day: number): string => new Date(sale.at.getTime() + day * DAY).toISOString();
    const until = (day: number, hours = 0): Promise<void> => forwardTo(sale.at.getTime() + day * DAY + hours * HOUR);
    const check = async () => {
      const { body } = expectStatus(await world.api.post('/licensing/check', device), 200);
      return { ...body, validUntil: new Date((decodeJwt(body.lease).exp ?? 0) * 1000).toISOString() };
    };
    const license = async () => expectStatus(await api.get(`/licenses/${id}`), 200).body;
    return { seller, api, id, sale, onDay, until, check, license };
  };

  it.each(PROCESSOR_IDS)('runs on until %s has spoken, for as long as the leeway', async (processor) => {
    const { seller, sale, onDay, until, check, license } = await subscriber(processor);
    expect(await license()).toMatchObject({
      expiresAt: onDay(30),
      renews: true,
      renewsAt: onDay(30),
      renewalLeewayHours: 72,
    });
    await until(30, -1);
    const before = await check();
    expect(before).toMatchObject({
      isActive: true,
      expiresAt: onDay(30),
      renews: true,
      renewsAt: onDay(30),
      nextCheckAt: onDay(30),
    });
    expect(before.validUntil).toBe(onDay(33));
    expect(await told(seller)).toEqual([]);

    await until(30, 1);
    expect(await license()).toMatchObject({ status: 'active', expiresAt: onDay(30), renewsAt: onDay(30) });
    const late = await check();
    expect(late).toMatchObject({ isActive: true, expiresAt: onDay(33), renewsAt: onDay(30), validUntil: onDay(33) });
    expect(late).not.toHaveProperty('inGraceSince');
    expect(await told(seller)).toEqual([]);

    await seller.sendAll(FULL_SIZE[processor].paidMonth(sale, 2));
    expect(await check()).toMatchObject({ isActive: true, expiresAt: onDay(60), renewsAt: onDay(60) });
    expect(await told(seller)).toEqual(['license.renewed']);

    await until(63, -1);
    expect(await check()).toMatchObject({ isActive: true, reason: 'active' });
    await until(63);
    const over = await check();
    expect(over).toMatchObject({ isActive: false, reason: 'expired', expiresAt: onDay(63) });
    expect(over).not.toHaveProperty('renews');
    expect(await told(seller)).toEqual(['license.renewed', 'license.expired']);
  });

  it.each(PROCESSOR_IDS)('ends at its paid end once it is cancelled at %s', async (processor) => {
    const seller = await Seller.in(world, processor);
    const sale = seller.sale({ at: new Date(Math.floor(world.clock.now().getTime() / DAY) * DAY - 85 * DAY) });
    await seller.sendAll(subscriptionLife(processor, sale));
    const end = new Date(sale.at.getTime() + 90 * DAY);
    expect(await seller.licenses()).toMatchObject([
      { status: 'active', expiresAt: end.toISOString(), renews: false, renewsAt: null, renewalLeewayHours: null },
    ]);
    await forwardTo(end.getTime());
    expect(await seller.licenses()).toMatchObject([{ status: 'expired' }]);
  });

  it('is announced to end once it is cancelled, however late', async () => {
    const { seller, sale, until, license } = await subscriber('stripe');
    await until(28);
    expect(await told(seller)).toEqual([]);
    await seller.send(FULL_SIZE.stripe.subscription(sale, 28, 1, { with: { cancel_at_period_end: true } }));
    expect(await license()).toMatchObject({ status: 'active', renews: false });
    expect(await told(seller)).toEqual(['license.expiring']);
    await until(30);
    expect(await told(seller)).toEqual(['license.expiring', 'license.expired']);
  });

  it('waits for as long as its plan says', async () => {
    const { until, license } = await subscriber('paddle', { renewalLeewayHours: 5 });
    await until(30, 4);
    expect(await license()).toMatchObject({ status: 'active', renewalLeewayHours: 5 });
    await until(30, 5);
    expect(await license()).toMatchObject({ status: 'expired' });
  });

  it('ends when its tenant says so, and renews again once more is paid for', async () => {
    const { seller, api, id, sale, onDay, license, until } = await subscriber('polar');
    const { expiresAt } = await license();
    expectStatus(await api.patch(`/licenses/${id}`, { expiresAt }), 200);
    expect(await license()).toMatchObject({ renews: true });
    expectStatus(await api.patch(`/licenses/${id}`, { expiresAt: onDay(40) }), 200);
    expect(await license()).toMatchObject({ renews: false, expiresAt: onDay(40) });
    await until(30);
    await seller.sendAll(FULL_SIZE.polar.paidMonth(sale, 2));
    expect(await license()).toMatchObject({ renews: true, expiresAt: onDay(60) });
  });

  // Polar leaves access until the end of what was paid for.
  it.each(PROCESSOR_IDS.filter((one) => one !== 'polar'))(
    'stays ended once its payment is given back at %s, whatever looks at its end',
    async (processor) => {
      const { seller, sale, until, license, check } = await subscriber(processor, { renewalLeewayHours: 720 });
      await until(2);
      await seller.sendAll(FULL_SIZE[processor].refundedMonth(sale, 1, 2));
      for (const _ of ['first', 'second']) {
        await world.forward(HOUR);
        await told(seller);
        expect((await license()).status).not.toBe('active');
        expect(await license()).toMatchObject({ renews: false, renewalLeewayHours: null });
        expect(await check()).toMatchObject({ isActive: false });
      }
    },
  );

  it('keeps the leeway under which it was issued, and takes that of a plan that it gets', async () => {
    const { seller, api, id, sale, license } = await subscriber('stripe', { renewalLeewayHours: 24 });
    expectStatus(await api.patch(`/plans/${seller.planId}`, { renewalLeewayHours: 0 }), 200);
    await seller.send(FULL_SIZE.stripe.subscription(sale, 3, 1, { with: { description: 'about something else' } }));
    expect(await license()).toMatchObject({ renews: true, renewalLeewayHours: 24 });
    const other = { extensionId: seller.extensionId, tier: 'team', renewalLeewayHours: 9 };
    const planId: string = expectStatus(await api.post('/plans', other), 201).body.id;
    expectStatus(await api.patch(`/licenses/${id}`, { planId }), 200);
    expect(await license()).toMatchObject({ planId, renews: true, renewalLeewayHours: 9 });
  });

  it('of before 1.1.0 gets its leeway when its end comes', async () => {
    const { id, seller, until, license } = await subscriber('creem');
    const asBefore =
      "update license set renewal_leeway_hours = null, expiry_event_at = expires_at - interval '7 days' where id = $1";
    await world.app.get(DataSource).query(asBefore, [id]);
    await until(24);
    expect(await told(seller)).toEqual([]);
    expect(await license()).toMatchObject({ renews: true, renewalLeewayHours: 72 });
  });
});
