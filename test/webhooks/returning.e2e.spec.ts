import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessorId } from '../../src/payments/index.js';
import { MailDeliveryWorker, PROCESSOR_IDS, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, oneOffSale, subscriptionLife, type Sale } from '../support/purchases.js';
import { partOf, type SmtpServer } from '../support/smtp-server.js';
import { codeOf, withToken } from '../licensing/delivery/codes.js';
import { naming } from './named.js';
import { Seller } from './seller.js';

const after = (sale: Sale, days: number): string => new Date(sale.at.getTime() + days * DAY).toISOString();
const daysAgo = (seller: Seller, days: number, wish: Partial<Sale> = {}): Sale => {
  const { at, ...sale } = seller.sale(wish);
  return { ...sale, at: new Date(at.getTime() - days * DAY) };
};
/** The second processor of a seller's extension. */
const otherThan = (processor: ProcessorId): ProcessorId =>
  PROCESSOR_IDS[(PROCESSOR_IDS.indexOf(processor) + 1) % PROCESSOR_IDS.length] ?? processor;

describe('a buyer who buys again', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const post = (): Promise<void> => world.app.get(MailDeliveryWorker).tick();
  const also = (seller: Seller, processor: ProcessorId): Promise<Seller> =>
    Seller.of(world, processor, seller.tenant, seller.extensionId);
  const seat = async ({ extensionId }: Seller, code: string, fingerprint: string = randomUUID()) =>
    expectStatus(await world.api.post('/licensing/activate', { code, extensionId, fingerprint }), 200).body;
  const ordersOf = async ({ tenant }: Seller) =>
    expectStatus(await world.api.as(tenant).get('/orders?limit=100'), 200).body.items;
  const textsTo = (address = ''): readonly string[] => smtp.to(address).map((mail) => partOf(mail, 'text/plain'));

  it.each(PROCESSOR_IDS)('at %s gets the license that ended, with its code', async (processor) => {
    const seller = await Seller.in(world, processor);
    const first = daysAgo(seller, 100);
    await seller.sendAll(subscriptionLife(processor, first));
    await post();
    const [ended] = await seller.licenses();
    const again = seller.sale({ email: first.email });
    const month = FULL_SIZE[processor].paidMonth(again, 1);
    await seller.sendAll([...month, ...month]);
    await post();
    const [license, ...others] = await seller.licenses();
    expect(others).toEqual([]);
    expect(license).toMatchObject({
      id: ended.id,
      codeHint: ended.codeHint,
      status: 'active',
      expiresAt: after(again, 30),
      delivery: 'sent',
    });
    const [code, told, ...more] = smtp.to(first.email ?? '');
    expect(more).toEqual([]);
    expect(codeOf(code)).toMatch(new RegExp(`${license.codeHint}$`));
    expect(told === undefined ? '' : partOf(told, 'text/plain')).toMatch(
      new RegExp(`works again[^]*${license.codeHint}`),
    );
    expect(await seat(seller, codeOf(code))).toMatchObject({ isActive: true });
    // What the former purchase says late changes nothing.
    await seller.sendAll([
      FULL_SIZE[processor].ended(first, 95, 3),
      ...FULL_SIZE[processor].refundedMonth(first, 1, 96),
    ]);
    await seller.sendAll(FULL_SIZE[processor].paidMonth(again, 2));
    expect(await seller.licenses()).toMatchObject([{ id: ended.id, status: 'active', expiresAt: after(again, 60) }]);
    expect((await ordersOf(seller)).map(({ licenses }: { readonly licenses: object[] }) => licenses)).toMatchObject([
      [{ id: license.id, origin: 'returned', passedAt: null }],
      [{ id: license.id, origin: 'made', passedAt: again.at.toISOString() }],
    ]);
  });

  it('at another processor keeps devices, features and notes, and moves to the plan that was bought', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(sale, 1));
    await post();
    const code = codeOf(smtp.to(sale.email ?? '')[0]);
    expect((await seat(seller, code, 'laptop')).isActive).toBe(true);
    const [{ id }] = await seller.licenses();
    const notes = { entitlements: ['sync'], metadata: { from: 'fair' } };
    expectStatus(await world.api.as(seller.tenant).patch(`/licenses/${id}`, notes), 200);
    const paddle = await also(seller, 'paddle');
    await world.forward(40 * DAY);
    expect((await seat(seller, code, 'laptop')).isActive).toBe(false);
    const again = paddle.sale({ email: sale.email });
    await paddle.sendAll(FULL_SIZE.paddle.paidMonth(again, 1));
    expect(await seller.licenses()).toMatchObject([{ id, planId: paddle.planId, status: 'active', ...notes }]);
    expect((await seat(seller, code, 'laptop')).isActive).toBe(true);
  });

  it('while the first license runs gets a second one', async () => {
    const seller = await Seller.in(world, 'stripe');
    const first = daysAgo(seller, 10);
    const second = seller.sale({ email: first.email });
    await seller.sendAll([...FULL_SIZE.stripe.paidMonth(first, 1), ...FULL_SIZE.stripe.paidMonth(second, 1)]);
    expect((await seller.licenses()).map(({ expiresAt }) => expiresAt)).toEqual([after(second, 30), after(first, 30)]);
  });

  it('gets a second license once the first turns out to go on', async () => {
    const seller = await Seller.in(world, 'stripe');
    const first = daysAgo(seller, 40);
    const second = seller.sale({ email: first.email });
    const { paidMonth } = FULL_SIZE.stripe;
    await seller.sendAll([...paidMonth(first, 1), ...paidMonth(second, 1)]);
    expect(await seller.licenses()).toMatchObject([{ expiresAt: after(second, 30) }]);
    await seller.sendAll([...paidMonth(first, 2), ...paidMonth(first, 3)]);
    expect((await seller.licenses()).map(({ expiresAt }) => expiresAt)).toEqual([after(first, 90), after(second, 30)]);
    await seller.sendAll(paidMonth(first, 4));
    expect((await seller.licenses()).map(({ expiresAt }) => expiresAt)).toEqual([after(first, 120), after(second, 30)]);
  });

  it('has one license although the first purchase is told last', async () => {
    const seller = await Seller.in(world, 'paddle');
    const first = daysAgo(seller, 100);
    const second = seller.sale({ email: first.email });
    const { paidMonth, ended } = FULL_SIZE.paddle;
    await seller.sendAll([...paidMonth(second, 1), ...paidMonth(first, 1), ended(first, 31, 1)]);
    expect(await seller.licenses()).toMatchObject([{ expiresAt: after(second, 30), status: 'active' }]);
  });

  it.each(['revoke', 'suspend'])('after you %s the first license gets another', async (action) => {
    const seller = await Seller.in(world, 'stripe');
    const first = daysAgo(seller, 40);
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(first, 1));
    await seller.act((await seller.licenses())[0].id, action);
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(seller.sale({ email: first.email }), 1));
    expect(await seller.licenses()).toHaveLength(2);
  });

  it('after a refund has the license again, and loses it with another refund', async () => {
    const seller = await Seller.in(world, 'stripe');
    const { soldOnce, refundedMonth } = FULL_SIZE.stripe;
    const first = daysAgo(seller, 40);
    await seller.sendAll([...soldOnce(first), ...refundedMonth(first, 1, 5)]);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked' }]);
    const second = daysAgo(seller, 10, { email: first.email });
    await seller.sendAll(soldOnce(second));
    expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
    await seller.sendAll(refundedMonth(second, 1, 5));
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked' }]);
  });

  it('in the shop claims a new code, with which devices go on', async () => {
    const seller = await Seller.in(world, 'stripe');
    const first = daysAgo(seller, 40);
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(first, 1));
    const [{ id, codeHint }] = await seller.licenses();
    const claimToken = randomUUID();
    const again = seller.sale({ email: first.email });
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(again, 1).map((event) => withToken(event, claimToken)));
    const claim = { extensionId: seller.extensionId, claimToken };
    const { code } = expectStatus(await world.api.post('/licensing/claim', claim), 200).body;
    const [license, ...others] = await seller.licenses();
    expect(others).toEqual([]);
    expect(license).toMatchObject({ id, codeHint: code.slice(-5) });
    expect(license.codeHint).not.toBe(codeHint);
    await post();
    expect(textsTo(first.email).at(-1)).toContain(code);
  });

  describe('and names a license', () => {
    /** A buyer with a license for another month. */
    const subscribed = async (processor: ProcessorId) => {
      const seller = await Seller.in(world, processor);
      const first = daysAgo(seller, 10);
      await seller.sendAll(FULL_SIZE[processor].paidMonth(first, 1));
      const [license] = await seller.licenses();
      return { seller, first, license, better: await also(seller, otherThan(processor)) };
    };

    it.each(PROCESSOR_IDS)('at %s upgrades it, and has it as it was once that is refunded', async (processor) => {
      const { seller: better, ...had } = await subscribed(otherThan(processor));
      const seller = await also(better, processor);
      const { first, license } = had;
      const upgrade = daysAgo(seller, 1, { email: first.email });
      await seller.sendAll(naming(oneOffSale(processor, upgrade), license.id));
      expect(await seller.licenses()).toMatchObject([
        { id: license.id, codeHint: license.codeHint, planId: seller.planId, expiresAt: null, status: 'active' },
      ]);
      await seller.sendAll(fullRefund(processor, upgrade));
      expect(await seller.licenses()).toMatchObject([
        { id: license.id, planId: license.planId, expiresAt: after(first, 30), status: 'active' },
      ]);
      // What the first purchase pays counts again.
      await better.sendAll(FULL_SIZE[better.processor].paidMonth(first, 2));
      expect(await seller.licenses()).toMatchObject([{ id: license.id, expiresAt: after(first, 60) }]);
    });

    it('that was issued by hand has it as it was once that is refunded', async () => {
      const seller = await Seller.in(world, 'stripe');
      const upgrade = seller.sale();
      const byHand = { planId: await world.given.plan(seller.tenant, seller.extensionId), buyerEmail: upgrade.email };
      const expiresAt = after(upgrade, 20);
      const made = await world.api.as(seller.tenant).post('/licenses', { ...byHand, expiresAt, maxActivations: 9 });
      const { id } = expectStatus(made, 201).body;
      await seller.sendAll(naming(FULL_SIZE.stripe.paidMonth(upgrade, 1), id));
      expect(await seller.licenses()).toMatchObject([{ id, planId: seller.planId, expiresAt: after(upgrade, 30) }]);
      await seller.sendAll(FULL_SIZE.stripe.refundedMonth(upgrade, 1, 0));
      expect(await seller.licenses()).toMatchObject([{ id, planId: byHand.planId, expiresAt, seats: { max: 9 } }]);
    });

    it('at every processor at once upgrades it until the last of them is refunded', async () => {
      const seller = await Seller.in(world, 'stripe');
      const [{ email }, planId] = [seller.sale(), await world.given.plan(seller.tenant, seller.extensionId)];
      const expiresAt = after(seller.sale(), 20);
      const made = await world.api.as(seller.tenant).post('/licenses', { planId, buyerEmail: email, expiresAt });
      const { id } = expectStatus(made, 201).body;
      const sellers = [seller];
      for (const processor of PROCESSOR_IDS.filter((one) => one !== 'stripe'))
        sellers.push(await also(seller, processor));
      // Those that are told first were bought last.
      const sales = sellers.map((at, index) => ({ at, sale: daysAgo(at, index, { email }) }));
      await Promise.all(sales.map(({ at, sale }) => at.sendAll(naming(oneOffSale(at.processor, sale), id))));
      for (const { at, sale } of sales) {
        expect(await seller.licenses()).toMatchObject([{ id, status: 'active', expiresAt: null }]);
        await at.sendAll(fullRefund(at.processor, sale));
      }
      expect(await seller.licenses()).toMatchObject([{ id, status: 'active', planId, expiresAt }]);
    });

    it('tells you when the purchase before it is still paid', async () => {
      const { seller, first, license, better } = await subscribed('stripe');
      const upgrade = daysAgo(better, 1, { email: first.email });
      await better.sendAll(naming(FULL_SIZE.paddle.paidMonth(upgrade, 1), license.id));
      await world.forward(30 * DAY);
      await seller.sendAll(FULL_SIZE.stripe.paidMonth(first, 2));
      expect(await seller.licenses()).toMatchObject([{ id: license.id, expiresAt: after(upgrade, 30) }]);
      expect((await seller.inbox()).map(({ reason }) => reason)).toContainEqual(
        expect.stringMatching(/another purchase has upgraded the license/),
      );
    });

    it.each(['a stranger', 'a license that is not there', 'a license that you revoked'])(
      'as %s gets a license of their own, and the order says why',
      async (who) => {
        const { first, license, better, seller } = await subscribed('stripe');
        if (who.endsWith('revoked')) await seller.act(license.id, 'revoke');
        const upgrade = better.sale(who === 'a stranger' ? {} : { email: first.email });
        const named = who.endsWith('there') ? randomUUID() : license.id;
        await better.sendAll(naming(FULL_SIZE.paddle.soldOnce(upgrade), named));
        const [own, ...others] = await seller.licenses();
        expect(own).toMatchObject({ planId: better.planId, buyerEmail: upgrade.email });
        expect(others).toMatchObject([{ id: license.id, planId: license.planId, expiresAt: after(first, 30) }]);
        expect((await ordersOf(seller))[0]).toMatchObject({
          notice: expect.stringMatching(/^The license that it names to upgrade (belongs|is)/),
          licenses: [{ id: own.id, origin: 'made' }],
        });
      },
    );
  });
});
