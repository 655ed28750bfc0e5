import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS, type ProcessorId } from '../../src/payments/index.js';
import { startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { imported } from '../support/imported.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { oneOffSale, type Notification, type Sale } from '../support/purchases.js';
import { SECRETS } from '../support/payment-signers.js';
import { Seller } from './seller.js';

interface FieldCase {
  /** A CSV of licenses that the seller imports first. */
  readonly import?: string;
  readonly steps: readonly { readonly processor: ProcessorId; readonly event: object }[];
}

/** What sellers met; `@-5d`, `@ms-5d` and `@iso-5d` are times relative to now, in Unix seconds, milliseconds and ISO 8601. */
function fieldCase(name: string, now: Date, planId = ''): FieldCase {
  const at = (days: string): Date => new Date(Math.floor(now.getTime() / 1000) * 1000 + Number(days) * DAY);
  const text = readFileSync(new URL(`./field-cases/${name}.json`, import.meta.url), 'utf8')
    .replaceAll(/@iso(-?[\d.]+)d/g, (_, days: string) => at(days).toISOString())
    .replaceAll(/"@ms(-?[\d.]+)d"/g, (_, days: string) => String(at(days).getTime()))
    .replaceAll(/"@(-?[\d.]+)d"/g, (_, days: string) => String(at(days).getTime() / 1000))
    .replaceAll('{{pro}}', planId);
  return JSON.parse(text) as FieldCase;
}

/** The notifications of one processor. */
const notificationsOf = ({ steps }: FieldCase, of: ProcessorId): readonly string[] =>
  steps.filter(({ processor }) => processor === of).map(({ event }) => JSON.stringify(event));

describe('a seller who', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** The licenses after each of the notifications, by address. */
  async function licensesAfter(name: string, processor: ProcessorId) {
    const seller = await Seller.in(world, processor, { products: [FULL_SIZE[processor].fieldProduct] });
    const notifications = notificationsOf(fieldCase(name, world.clock.now(), seller.planId), processor);
    const seen: Record<string, unknown>[] = [];
    for (const notification of notifications) {
      await seller.send(notification);
      const licenses = await seller.licenses();
      seen.push(Object.fromEntries(licenses.map(({ buyerEmail, ...license }) => [buyerEmail, license])));
    }
    return seen;
  }

  const inDays = (days: number): string =>
    new Date(Math.floor(world.clock.now().getTime() / 1000) * 1000 + days * DAY).toISOString();

  describe.each(PROCESSOR_IDS)('connects %s, which has subscribers already,', (processor) => {
    /** The first notifications of a subscription that began before. */
    async function subscribed(credentials: object = {}): Promise<Seller> {
      const seller = await Seller.in(world, processor, { products: [FULL_SIZE[processor].fieldProduct], credentials });
      for (const notification of notificationsOf(fieldCase('running-subscription', world.clock.now()), processor))
        expectStatus(await seller.send(notification), 200);
      return seller;
    }
    const isPaidFor = { status: 'active', expiresAt: expect.stringMatching(/Z$/) };
    const expectOneLicense = async (seller: Seller): Promise<void> => {
      const licenses = await seller.licenses();
      expect(licenses).toMatchObject([isPaidFor]);
      expect(Date.parse(licenses[0]?.expiresAt)).toBeGreaterThan(world.clock.now().getTime() + 28 * DAY);
      expect([await seller.inbox('unmapped'), await seller.inbox('waiting')]).toEqual([[], []]);
    };

    it('is asked for each, and issues its license once', async () => {
      const seller = await subscribed();
      expect(await seller.licenses()).toEqual([]);
      const open = await seller.inbox('unmapped');
      const reason = expect.stringMatching(/^The subscription began before Pierhead .* the order \S+, or issue/);
      for (const item of open) expect(item).toMatchObject({ reason });
      const [first] = open;
      const needs = expectStatus(await world.api.as(seller.tenant).get('/overview'), 200).body.needs;
      // One sale, however many notifications tell of it.
      expect(needs).toMatchObject([{ kind: 'sales_unmapped', count: 1 }]);
      const path = `/webhooks/inbox/${first.id}/replay`;
      const replay = (wish: object) => world.api.as(seller.tenant).post(path, wish);
      expect(expectStatus(await replay({}), 200).body).toMatchObject({ status: 'unmapped', reason });
      expect((await replay({ planId: seller.extensionId })).status).toBe(404);
      expect(await seller.licenses()).toEqual([]);
      for (let time = 0; time < 2; time += 1)
        expect(expectStatus(await replay({ issue: true }), 200).body).toEqual({
          outcome: 'handled',
          status: 'handled',
          reason: null,
        });
      await expectOneLicense(seller);
    });

    it('issues the licenses of all at once', async () => {
      const seller = await subscribed();
      const answer = await world.api.as(seller.tenant).post('/webhooks/inbox/replay', { issue: true });
      const { items, nextCursor } = expectStatus(answer, 200).body;
      expect(nextCursor).toBeNull();
      for (const item of items) expect(item).toMatchObject({ status: 'handled' });
      await expectOneLicense(seller);
    });

    it('has a license issued for each where its credential says so', async () => {
      await expectOneLicense(await subscribed({ issueEarlier: true }));
    });

    it('chooses another plan for one', async () => {
      const seller = await subscribed();
      const gold = { extensionId: seller.extensionId, tier: 'gold', maxActivations: 9 };
      const planId = expectStatus(await world.api.as(seller.tenant).post('/plans', gold), 201).body.id;
      const [first] = await seller.inbox('unmapped');
      const path = `/webhooks/inbox/${first.id}/replay`;
      expectStatus(await world.api.as(seller.tenant).post(path, { planId }), 200);
      expect(await seller.licenses()).toMatchObject([{ ...isPaidFor, planId }]);
    });

    it('imports its license later, which follows it from then on', async () => {
      const seller = await subscribed();
      const [first] = await seller.inbox('unmapped');
      const order = /the order (\S+),/.exec(first.reason)?.[1] ?? '';
      const email = `${processor === 'lemonsqueezy' ? 'l7' : 'other'}@x.example`;
      await importLicenses(
        seller,
        `email,tier,code,order\n${email},pro,9A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F8,${order}\n`,
      );
      expect(await seller.licenses()).toMatchObject([{ expiresAt: null }]);
      expect(await seller.replay(first.id)).toBe('handled');
      await expectOneLicense(seller);
      expect(await seller.licenses()).toMatchObject([{ buyerEmail: email }]);
    });
  });

  /** Imports licenses of the seller's plan, which the CSV calls `pro`. */
  const importLicenses = async (seller: Seller, csv: string): Promise<void> => {
    const api = world.api.as(seller.tenant);
    const { tier } = expectStatus(await api.get(`/plans/${seller.planId}`), 200).body;
    const made = await imported(world, seller.tenant, seller.extensionId, csv.replaceAll(',pro,', `,${tier},`));
    expect(made).toMatchObject({ state: 'done', faults: 0, existing: 0 });
  };

  it('imports licenses with their orders has them extended and ended by these', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [FULL_SIZE.stripe.fieldProduct] });
    const moved = fieldCase('imported-then-renewed', world.clock.now());
    await importLicenses(seller, moved.import ?? '');
    for (const notification of notificationsOf(moved, 'stripe')) expectStatus(await seller.send(notification), 200);
    const licenses = await seller.licenses();
    expect(licenses.toSorted((one, other) => (one.buyerEmail < other.buyerEmail ? 1 : -1))).toMatchObject([
      { buyerEmail: 's4b@x.example', status: 'active', expiresAt: inDays(30) },
      { buyerEmail: 'g6@x.example', status: 'revoked', revokedFor: 'refund' },
    ]);
    expect(await seller.inbox('handled')).toMatchObject([
      { reason: expect.stringContaining('follows its purchase') },
      { reason: expect.stringContaining('follows its purchase') },
    ]);
  });

  // https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices
  it('does not send what links payments to invoices is told what to switch on, and by that link the license ends', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [FULL_SIZE.stripe.fieldProduct] });
    const { steps } = fieldCase('refund-without-link', world.clock.now());
    for (const { event } of steps) expectStatus(await seller.send(JSON.stringify(event)), 200);
    expect(await seller.licenses()).toMatchObject([{ status: 'active' }]);
    const open = await seller.inbox('unmapped');
    const reason = expect.stringContaining('Enable invoice_payment.paid for the webhook at Stripe, and revoke');
    expect(open).toMatchObject([
      { kind: 'charge.dispute.closed', reason },
      { kind: 'charge.dispute.created', reason },
      { kind: 'charge.refunded', reason },
    ]);
    const links = { invoice: 'in_t4', payment: { payment_intent: 'pi_t4', type: 'payment_intent' } };
    const link = { id: 'evt_link', type: 'invoice_payment.paid', created: 1, livemode: true, data: { object: links } };
    expectStatus(await seller.send(JSON.stringify(link)), 200);
    expect(await seller.licenses()).toMatchObject([{ status: 'revoked', revokedFor: 'dispute' }]);
    expect(await seller.inbox('unmapped')).toEqual([]);
  });

  // https://developer.paddle.com/webhooks/simulator/test-webhooks
  it('tries the simulator issues nothing, unless the credential accepts the test mode', async () => {
    for (const testMode of [false, true]) {
      const seller = await Seller.in(world, 'paddle', {
        products: [FULL_SIZE.paddle.fieldProduct],
        credentials: { testMode },
      });
      const { steps } = fieldCase('simulated-sale', world.clock.now(), seller.planId);
      for (const { event } of steps) expectStatus(await seller.send(JSON.stringify(event)), 200);
      expect(await seller.licenses()).toMatchObject(testMode ? [{ isTest: true }] : []);
      expect((await seller.inbox())[0]).toMatchObject({ kind: 'transaction.completed', isTest: true });
      const api = world.api.as(seller.tenant);
      const listed = async (isTest: string) =>
        expectStatus(await api.get(`/licenses?isTest=${isTest}`), 200).body.items.length;
      expect([await listed('true'), await listed('false')]).toEqual([testMode ? 1 : 0, 0]);
      const author = await world.given.loggedIn(seller.tenant);
      const { needs } = expectStatus(await world.api.as(author).get('/overview'), 200).body;
      expect(needs).toMatchObject(testMode ? [{ kind: 'test_mode_open', turn: 'you' }] : []);
      const { text } = expectStatus(await api.get('/licenses/export'), 200);
      expect(text.split('\n')[0]).toContain(',isTest,');
      expect(text).toMatch(testMode ? /,true,/ : /^[^\n]*\n$/);
    }
  });

  it.each(PROCESSOR_IDS)('sells a bundle of two extensions at %s has a license made for each', async (processor) => {
    const seller = await Seller.in(world, processor);
    const other = await world.given.extension(seller.tenant);
    const otherPlan = await world.given.plan(seller.tenant, other);
    await seller.sells(FULL_SIZE[processor].sells, otherPlan);
    await seller.sendAll(oneOffSale(processor, seller.sale()));
    const sold = (await seller.licenses()).map(({ extensionId, planId }) => `${extensionId} ${planId}`);
    const each = [`${other} ${otherPlan}`, `${seller.extensionId} ${seller.planId}`];
    expect(sold.toSorted()).toEqual(each.toSorted());
  });

  describe.each(['stripe', 'paddle'] as const)('has a buyer at %s who', (processor) => {
    /** A sale, and the same customer with another address. */
    async function sold() {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      if (processor === 'paddle') await seller.sendAll([moved(sale, String(sale.email), 'customer.created')]);
      await seller.sendAll(oneOffSale(processor, sale));
      const [license] = await seller.licenses();
      return { seller, sale, license };
    }
    const moved = (sale: Sale, email: string, name = 'customer.updated'): Notification => {
      const at = new Date(sale.at.getTime() + 1000);
      if (processor === 'paddle') {
        const data = { id: `ctm_${sale.tag}`, email };
        return { event_id: `evt_${name}_${email}`, event_type: name, occurred_at: at.toISOString(), data };
      }
      const object = { id: `cus_${sale.tag}`, object: 'customer', email };
      const data = { object, previous_attributes: { email: sale.email } };
      return { id: `evt_${email}`, type: name, created: at.getTime() / 1000, livemode: true, data };
    };

    it('moves to another address has the license there', async () => {
      const { seller, sale } = await sold();
      const email = `new-${sale.tag}@buyer.example`;
      await seller.sendAll([moved(sale, email)]);
      expect(await seller.licenses()).toMatchObject([{ buyerEmail: email }]);
    });

    it('has asked support for another address keeps that one', async () => {
      const { seller, sale, license } = await sold();
      const buyerEmail = 'asked-for@buyer.example';
      const changed = await world.api.as(seller.tenant).patch(`/licenses/${license.id}`, { buyerEmail });
      expect(expectStatus(changed, 200).body).toMatchObject({ buyerEmail });
      await seller.sendAll([moved(sale, `new-${sale.tag}@buyer.example`)]);
      expect(await seller.licenses()).toMatchObject([{ buyerEmail, codeHint: license.codeHint }]);
    });
  });

  // https://docs.stripe.com/invoicing/integration
  it('sends an invoice has it paid for one license, by its price or by the plan that it names', async () => {
    const seen = await licensesAfter('sent-invoice', 'stripe');
    expect(seen.at(-1)).toMatchObject({
      's3@x.example': { status: 'active', expiresAt: null },
      's3b@x.example': { status: 'active', expiresAt: null },
    });
  });

  // https://docs.stripe.com/refunds#failed-refunds
  it('refunds a payment whose refund the bank rejects gives the license back', async () => {
    const seen = await licensesAfter('refund-that-failed', 'stripe');
    const states = seen.map((licenses) => licenses['s1@x.example']);
    expect(states).toMatchObject([
      { status: 'active' },
      { status: 'revoked', revokedFor: 'refund' },
      { status: 'active', revokedFor: null },
      { status: 'active', revokedFor: null },
    ]);
  });

  // https://developer.paddle.com/build/transactions/create-transaction-adjustments
  it('refunds all of a transaction by its items, or in parts, takes the license back', async () => {
    const seen = await licensesAfter('refund-by-items', 'paddle');
    expect(seen.at(1)).toMatchObject({ 'p1@x.example': { status: 'revoked', revokedFor: 'refund' } });
    expect(seen.at(3)).toMatchObject({ 'p2@x.example': { status: 'active' } });
    expect(seen.at(4)).toMatchObject({ 'p2@x.example': { status: 'revoked', revokedFor: 'refund' } });
  });

  // https://docs.stripe.com/billing/subscriptions/overview
  it('extends a trial has it last as long', async () => {
    const seen = await licensesAfter('extended-trial', 'stripe');
    expect(seen.at(-1)).toMatchObject({ 't1@x.example': { status: 'active', expiresAt: inDays(40) } });
  });

  // https://developer.paddle.com/build/subscriptions/change-billing-dates
  it('moves a billing date, a trial or an interval without billing has the license last as long', async () => {
    const seen = await licensesAfter('moved-billing-date', 'paddle');
    expect(seen.at(-1)).toMatchObject({
      'p1@x.example': { status: 'active', expiresAt: inDays(40) },
      'p2@x.example': { status: 'active', expiresAt: inDays(40) },
      'p3@x.example': { status: 'active', expiresAt: inDays(300) },
    });
  });

  // https://polar.sh/docs/features/refunds
  it('refunds an order of a subscription that goes on leaves access', async () => {
    const seen = await licensesAfter('refunded-subscription-order', 'polar');
    expect(seen.at(-1)).toMatchObject({ 'q1@x.example': { status: 'active', expiresAt: inDays(20) } });
  });

  describe('lets Stripe send thin events', () => {
    const [sale = ''] = notificationsOf(fieldCase('thin-events', new Date()), 'stripe');
    const session = {
      id: 'cs_5',
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      payment_intent: 'pi_5',
      customer_details: { email: 's5@x.example' },
    };
    const items = { object: 'list', data: [{ price: { id: 'price_pro', type: 'one_time' }, quantity: 1 }] };
    const putSession = async (): Promise<void> => {
      await world.control.paymentObject('stripe', '/v1/checkout/sessions/cs_5', session);
      await world.control.paymentObject('stripe', '/v1/checkout/sessions/cs_5/line_items', items);
    };
    const thin = (id: string, type: string): string =>
      sale.replace('evt_thin1', id).replace('checkout.session.completed', type);

    it('is told at the first one which payloads to choose, or that a key is missing', async () => {
      const seller = await Seller.in(world, 'stripe', { products: ['price_pro'] });
      const { body } = expectStatus(await seller.send(sale), 200);
      expect(body).toMatchObject({ status: 'unmapped', reason: expect.stringContaining('snapshot payloads') });
      expect(body.reason).toContain('an API key');
      expect((await seller.send(thin('evt_2', 'product.updated'))).body.status).toBe('ignored');
      expect(await seller.inbox('unmapped')).toHaveLength(1);
      const { needs } = expectStatus(await world.api.as(seller.tenant).get('/overview'), 200).body;
      expect(needs).toMatchObject([{ kind: 'sales_unmapped' }]);
    });

    it('has the sale read by the key of the credential, also by one that is saved later', async () => {
      const seller = await Seller.in(world, 'stripe', { products: ['price_pro'] });
      expectStatus(await seller.send(sale), 200);
      const account = await world.control.paymentAccount('stripe');
      await putSession();
      const { apiKey } = account.credentials;
      await seller.keeps({ webhookSecret: SECRETS.stripe, apiKey });
      const [item] = await seller.inbox('unmapped');
      expect(await seller.replay(item.id)).toBe('handled');
      expect(await seller.licenses()).toMatchObject([{ buyerEmail: 's5@x.example', status: 'active' }]);
      const refund = { id: 'ch_5', payment_intent: 'pi_5', refunded: true };
      await world.control.paymentObject('stripe', '/v1/charges/ch_5', refund);
      const taken = thin('evt_3', 'charge.refunded').replace('/v1/checkout/sessions/cs_5', '/v1/charges/ch_5');
      expect((await seller.send(taken)).body).toMatchObject({ status: 'handled', reason: null });
      expect(await seller.licenses()).toMatchObject([{ status: 'revoked' }]);
    });

    it('learns what Stripe says of a key that may not read, and loses nothing while Stripe does not answer', async () => {
      const { accountId, credentials } = await world.control.paymentAccount('stripe');
      await putSession();
      const seller = await Seller.in(world, 'stripe', {
        products: ['price_pro'],
        credentials: { apiKey: credentials.apiKey },
      });
      await world.control.fault({
        store: 'stripe',
        publisherId: accountId,
        kind: 'status',
        status: 500,
        times: 1,
      });
      expect((await seller.send(sale)).status).toBe(503);
      await world.control.paymentKey('stripe', accountId, 'restricted');
      const { body } = expectStatus(await seller.send(thin('evt_4', 'checkout.session.completed')), 200);
      expect(body).toMatchObject({ status: 'unmapped', reason: expect.stringContaining('required permissions') });
      await world.control.paymentKey('stripe', accountId, 'live');
      expect((await seller.send(sale)).body).toMatchObject({ status: 'handled' });
      expect(await seller.licenses()).toHaveLength(1);
    });
  });

  // https://docs.stripe.com/connect/webhooks
  it('is a platform at Stripe issues nothing for the sales of other accounts, which it cannot read either', async () => {
    const { accountId, credentials } = await world.control.paymentAccount('stripe');
    const seller = await Seller.in(world, 'stripe', { credentials: { apiKey: credentials.apiKey } });
    const sell = async (account: object) => {
      const [sold] = FULL_SIZE.stripe.soldOnce(seller.sale({ planId: seller.planId }));
      return expectStatus(await seller.send({ ...sold, ...account }), 200).body;
    };
    const reason = 'The event is about another account, acct_other.';
    expect(await sell({ account: 'acct_other' })).toMatchObject({ status: 'ignored', reason });
    const [{ id }] = await seller.inbox('ignored');
    expect(await seller.replay(id)).toBe('ignored');
    expect(await seller.licenses()).toEqual([]);
    expect(await sell({ account: accountId })).toMatchObject({ status: 'handled' });
    expect(await seller.licenses()).toHaveLength(1);
    const thin = { id: 'evt_thin', object: 'v2.core.event', type: 'v1.invoice.paid', context: 'acct_other' };
    const related = {
      created: world.clock.now().toISOString(),
      livemode: true,
      related_object: { url: '/v1/invoices/in_1' },
    };
    expect((await seller.send({ ...thin, ...related })).body).toMatchObject({ status: 'ignored', reason });
  });

  // https://docs.lemonsqueezy.com/help/licensing/generating-license-keys, https://docs.dodopayments.com/features/license-keys
  it.each([
    [
      'lemonsqueezy',
      (id: string) => ({
        meta: { event_name: 'license_key_created' },
        data: {
          type: 'license-keys',
          id,
          attributes: { order_id: 7, product_id: 20, user_email: 'b@buyer.example', key: `38B1460A-5104-4067-${id}` },
        },
      }),
    ],
    [
      'dodo',
      (id: string) => ({
        type: 'license_key.created',
        timestamp: world.clock.now().toISOString(),
        data: { payload_type: 'LicenseKey', id: `lic_${id}`, payment_id: 'pay_7', key: `38B1460A-5104-4067-${id}` },
      }),
    ],
  ] as const)(
    'has license keys of %s switched on as well is told that buyers receive two, once',
    async (processor, made) => {
      const seller = await Seller.in(world, processor);
      const reason = expect.stringContaining('a license key of its own');
      for (const id of ['1', '2'])
        expect((await seller.send(made(id))).body).toMatchObject({ status: 'ignored', reason });
      const { items } = expectStatus(await world.api.as(seller.tenant).get('/notifications'), 200).body;
      expect(items).toMatchObject([{ kind: 'foreign_license_key', message: reason }]);
    },
  );

  describe('sells by a Payment Link, whose checkout names no items,', () => {
    const soldBy = async (wish: object = {}) => {
      const seller = await Seller.in(world, 'stripe', { products: ['price_pro'], credentials: wish });
      const [sold] = FULL_SIZE.stripe.soldOnce(seller.sale());
      const { id } = (sold as { readonly data: { readonly object: { readonly id: string } } }).data.object;
      const items = { object: 'list', data: [{ price: { id: 'price_pro', type: 'one_time' }, quantity: 1 }] };
      await world.control.paymentObject('stripe', `/v1/checkout/sessions/${id}/line_items`, items);
      return { seller, sold: sold as Notification };
    };

    it('has the items read by the key of the credential', async () => {
      const { credentials } = await world.control.paymentAccount('stripe');
      const { seller, sold } = await soldBy({ apiKey: credentials.apiKey });
      expect((await seller.send(sold)).body).toMatchObject({ status: 'handled', reason: null });
      expect(await seller.licenses()).toMatchObject([{ status: 'active', planId: seller.planId, expiresAt: null }]);
    });

    it('is asked for a plan where the key is of another account or mode, which does not know the sale', async () => {
      const { credentials } = await world.control.paymentAccount('stripe');
      const seller = await Seller.in(world, 'stripe', { credentials: { apiKey: credentials.apiKey } });
      const [sold] = FULL_SIZE.stripe.soldOnce(seller.sale());
      expect((await seller.send(sold as Notification)).body).toMatchObject({ status: 'unmapped' });
      const thin = { id: 'evt_gone', object: 'v2.core.event', type: 'v1.invoice.paid', livemode: true };
      const related = { created: world.clock.now().toISOString(), related_object: { url: '/v1/invoices/in_gone' } };
      const reason = expect.stringContaining('Not found');
      expect((await seller.send({ ...thin, ...related })).body).toMatchObject({ status: 'unmapped', reason });
    });

    it('is told to save a key where there is none, or none that may read them', async () => {
      const { accountId, credentials } = await world.control.paymentAccount('stripe');
      for (const wish of [{}, { apiKey: credentials.apiKey }]) {
        const { seller, sold } = await soldBy(wish);
        await world.control.paymentKey('stripe', accountId, 'restricted');
        const reason = expect.stringContaining('save an API key with the credential');
        expect((await seller.send(sold)).body).toMatchObject({ status: 'unmapped', reason });
        await world.control.paymentKey('stripe', accountId, 'live');
      }
    });
  });
});
