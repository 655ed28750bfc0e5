import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { LicenseExpiryService, type World, startWorld } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { oneOffSale, subscriptionLife } from '../support/purchases.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';
import { post } from '../notifications/team.js';
import { Seller } from '../webhooks/seller.js';
import { claimsOf, Shop } from './shop.js';

const invalid = (field: string): object => ({
  status: 400,
  body: { code: 'invalid_request', errors: [expect.objectContaining({ field })] },
});

describe('the end of a license', () => {
  let smtp: SmtpServer;
  let world: World;
  let other: World;
  let tenant: Tenant;
  let extensionId: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    other = await startWorld({ with: world });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });
  beforeEach(async () => {
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
  });

  const my = (method: string, path: string, body?: object): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const ahead = (days: number): string => new Date(world.clock.now().getTime() + days * DAY).toISOString();
  const plan = async (terms: object): Promise<string> => {
    const tier = `tier ${randomUUID().slice(0, 8)}`;
    return expectStatus(await my('POST', '/plans', { extensionId, tier, ...terms }), 201).body.id;
  };
  const sold = async (terms: object, expiresAt?: string): Promise<Shop> =>
    Shop.open(
      world,
      { extensionId, planId: await plan(terms), ...(expiresAt === undefined ? {} : { expiresAt }) },
      tenant,
    );
  const shown = async (shop: Shop): Promise<Answer['body']> =>
    expectStatus(await my('GET', `/licenses/${shop.licenseId}`), 200).body;

  describe('that begins with the first activation', () => {
    const TERMS = { duration: 'P1M', durationFrom: 'activation', maxActivations: 100 };

    it('is a duration after it, of however many devices activate at once, and no later device moves it', async () => {
      const shop = await sold(TERMS);
      expect(await shown(shop)).toMatchObject({ expiresAt: null, duration: 'P1M', status: 'active' });
      await world.forward(40 * DAY);
      expect((await shop.check(randomUUID())).body).toMatchObject({ reason: 'seat_not_active', expiresAt: null });
      const before = (await shown(shop)).updatedAt;
      const answers = await Promise.all(Array.from({ length: 20 }, () => shop.activate(randomUUID())));
      const end = new Date(world.clock.now());
      end.setUTCDate(1);
      end.setUTCMonth(end.getUTCMonth() + 2, 0);
      const last = end.getUTCDate();
      end.setUTCDate(Math.min(last, world.clock.now().getUTCDate()));
      const ends = new Set(answers.map(({ body }) => body.expiresAt));
      expect(ends).toEqual(new Set([end.toISOString()]));
      const begun = await shown(shop);
      expect(begun).toMatchObject({ expiresAt: end.toISOString(), duration: null, seats: { used: 20 } });
      expect(begun.updatedAt > before).toBe(true);
      await world.forward(3 * DAY);
      expect((await shop.activate(randomUUID())).body.expiresAt).toBe(end.toISOString());
      expect(claimsOf(await shop.activate(randomUUID())).exp).toBeLessThanOrEqual(end.getTime() / 1000);
      await world.forward(30 * DAY);
      expect((await shop.activate(randomUUID())).body.reason).toBe('expired');
    });

    it('cannot be extended before, and is what the seller sets instead', async () => {
      const shop = await sold(TERMS);
      const path = `/licenses/${shop.licenseId}`;
      const { updatedAt } = await shown(shop);
      const extend = world.api
        .as(tenant)
        .call('POST', `${path}/extend`, { count: 1, unit: 'years' }, { headers: { 'if-match': `"${updatedAt}"` } });
      expect(expectStatus(await extend, 409).body.code).toBe('license_not_begun');
      const expiresAt = ahead(90);
      expectStatus(await my('PATCH', path, { expiresAt }), 200);
      expect((await shop.activate(randomUUID())).body.expiresAt).toBe(expiresAt);
      expect(await shown(shop)).toMatchObject({ expiresAt, duration: null });
    });

    it('also of one that was sold once', async () => {
      const seller = await Seller.in(world, 'stripe');
      const terms = { duration: 'P1Y', durationFrom: 'activation', graceDays: 5, onEnd: 'expire' };
      expectStatus(await world.api.as(seller.tenant).patch(`/plans/${seller.planId}`, terms), 200);
      await seller.sendAll(oneOffSale('stripe', seller.sale()));
      const [license] = await seller.licenses();
      expect(license).toMatchObject({ expiresAt: null, duration: 'P1Y', graceDays: 5, status: 'active' });
    });
  });

  it('is followed by days of grace, in which it is active and says so, also offline', async () => {
    const end = ahead(2);
    const shop = await sold({ graceDays: 3 }, end);
    const device = await shop.seated();
    const after = ahead(5);
    expect((await shop.check(device)).body).toMatchObject({ isActive: true, expiresAt: after });
    expect((await shop.check(device)).body).not.toHaveProperty('inGraceSince');
    await world.forward(2 * DAY);
    const inGrace = await shop.check(device);
    expect(inGrace.body).toMatchObject({ isActive: true, expiresAt: after, inGraceSince: end });
    expect(claimsOf(inGrace).exp).toBe(Math.floor(Date.parse(after) / 1000));
    expect(await shown(shop)).toMatchObject({ status: 'active', expiresAt: end, graceDays: 3, onEnd: 'expire' });
    await world.forward(3 * DAY);
    const over = await shop.check(device);
    expect(over.body).toMatchObject({ isActive: false, reason: 'expired', expiresAt: after });
    expect(over.body).not.toHaveProperty('inGraceSince');
    expect((await shown(shop)).status).toBe('expired');
  });

  it('means that a maintained license counts for versions that were released before, as its lease says', async () => {
    const end = ahead(2);
    const shop = await sold({ onEnd: 'maintain' }, end);
    const device = await shop.seated();
    for (const days of [1, 400]) {
      const answer = await shop.check(device);
      expect(answer.body).toMatchObject({ isActive: true, reason: 'active', expiresAt: null, updatesUntil: end });
      expect(claimsOf(answer)).toMatchObject({ act: true, upd: Math.floor(Date.parse(end) / 1000) });
      expect((await shown(shop)).status).toBe('active');
      await world.forward(days * DAY);
    }
    expectStatus(await my('POST', `/licenses/${shop.licenseId}/suspend`), 200);
    const suspended = await shop.check(device);
    expect(suspended.body).not.toHaveProperty('updatesUntil');
    expect(claimsOf(suspended)).not.toHaveProperty('upd');
  });

  it('has the terms under which the license was issued, or those of the plan that it gets', async () => {
    const shop = await sold({ graceDays: 3 }, ahead(2));
    expectStatus(await my('PATCH', `/plans/${shop.license.planId}`, { graceDays: 0, onEnd: 'maintain' }), 200);
    expect(await shown(shop)).toMatchObject({ graceDays: 3, onEnd: 'expire' });
    const planId = await plan({ onEnd: 'maintain', graceDays: 1 });
    expectStatus(await my('PATCH', `/licenses/${shop.licenseId}`, { planId }), 200);
    expect(await shown(shop)).toMatchObject({ graceDays: 1, onEnd: 'maintain' });
  });

  it.each([
    ['graceDays', -1],
    ['graceDays', 91],
    ['graceDays', null],
    ['onEnd', 'stop'],
    ['durationFrom', 'sale'],
    ['noticeDays', [2]],
    ['noticeDays', [7, 7]],
    ['noticeDays', ['7']],
    ['noticeDays', 7],
    ['noticeText', 'x'.repeat(1001)],
  ])('has no terms with a wrong %s', async (field, value) => {
    const tier = 'pro';
    expect(await my('POST', '/plans', { extensionId, tier, [field]: value })).toMatchObject(invalid(field));
    const id = await plan({});
    expect(await my('PATCH', `/plans/${id}`, { [field]: value })).toMatchObject(invalid(field));
  });

  describe('is announced to the buyer', () => {
    const days = async (count: number): Promise<void> => {
      for (let day = 0; day < count; day += 1) {
        await world.forward(DAY);
        await Promise.all([world, other].map(({ app }) => app.get(LicenseExpiryService).check()));
      }
      await post(world);
    };
    const buyerOf = async (shop: Shop): Promise<string> => (await shown(shop)).buyerEmail;

    it('on the days that the plan names, once each, whoever looks, in the words of the seller', async () => {
      const words = 'Renew with 20 % off at https://shop.example/renew.';
      const shop = await sold({ noticeDays: [30, 1], noticeText: words }, ahead(40));
      const silent = await sold({}, ahead(40));
      const to = await buyerOf(shop);
      await days(9);
      expect(smtp.to(to)).toHaveLength(0);
      await days(1);
      expect(smtp.to(to)).toHaveLength(1);
      await days(28);
      expect(smtp.to(to)).toHaveLength(1);
      await days(1);
      await days(5);
      const [first, second, ...more] = smtp.to(to);
      expect(more).toEqual([]);
      const { expiresAt, codeHint } = await shown(shop);
      for (const mail of [first, second]) {
        if (mail === undefined) throw new Error('No mail came');
        expect(headerOf(mail, 'Subject')).toContain('expires on');
        const text = partOf(mail, 'text/plain');
        expect(text).toContain(words);
        expect(text).toContain(codeHint);
        expect(text).toContain(`${Number(String(expiresAt).slice(8, 10))} `);
        expect(text).not.toContain(shop.license.code);
      }
      expect(smtp.to(await buyerOf(silent))).toEqual([]);
    });

    it('by one mail after days on which nobody looked, by none after the end or while it is suspended', async () => {
      const terms = { noticeDays: [30, 7, 1] };
      const late = await sold(terms, ahead(40));
      const over = await sold(terms, ahead(36));
      const suspended = await sold(terms, ahead(40));
      expectStatus(await my('POST', `/licenses/${suspended.licenseId}/suspend`), 200);
      await world.forward(36 * DAY);
      await days(1);
      expect(smtp.to(await buyerOf(late))).toHaveLength(1);
      expect(smtp.to(await buyerOf(over))).toEqual([]);
      expect(smtp.to(await buyerOf(suspended))).toEqual([]);
    });

    it('not while a subscription renews it, but once that is cancelled', async () => {
      const seller = await Seller.in(world, 'paddle');
      expectStatus(await world.api.as(seller.tenant).patch(`/plans/${seller.planId}`, { noticeDays: [7] }), 200);
      const [going, cancelled] = [seller.sale(), seller.sale()];
      await seller.sendAll(subscriptionLife('paddle', going).slice(0, -1));
      await seller.sendAll(subscriptionLife('paddle', cancelled));
      const ends = new Set((await seller.licenses()).map(({ expiresAt }) => expiresAt));
      expect(ends.size).toBe(1);
      await post(world);
      const mails = (): readonly number[] => [going, cancelled].map(({ email }) => smtp.to(email ?? '').length);
      const [before = 0] = mails();
      await world.forward(82 * DAY);
      await days(4);
      expect(mails()).toEqual([before, before + 1]);
    });
  });
});
