import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessorId } from '../../src/payments/index.js';
import { deliverWebhooks } from '../notifications/team.js';
import { Browser } from '../licensing/buyer/buyer.js';
import { columnsWith, everything, personalColumns, withToken } from '../licensing/delivery/codes.js';
import {
  type World,
  BuyerLinksService,
  DataSource,
  MailDeliveryWorker,
  PROCESSOR_IDS,
  RestoresService,
  ReturningCustomersService,
} from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, late, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';
import { partOf, type SmtpServer } from '../support/smtp-server.js';
import { Seller } from './seller.js';

const NAME = 'Ada Lovelace-Byron';

/** Its words, as they are kept for the search. */
const WORDS = "'ada' 'byron' 'lovelace'";

/** Personal data of buyers that is sealed. */
const SEALED = ['mail.sealed', 'returning_customer.sealed', 'license_import.sealed', 'license_import_page.sealed'];

/** A notification as processors send it, with who the customer is, by each processor's name for it; what it is about is its `object` at Creem. */
const personal = (notification: Notification, { email }: Sale): Notification => {
  const member = 'eventType' in notification ? 'object' : 'data';
  const about = notification[member] as Readonly<Record<'customer' | 'object' | 'attributes', unknown>>;
  const within = (one: unknown, more: object): object | undefined =>
    typeof one === 'object' ? { ...one, ...more } : undefined;
  const { customer_details: details } = (about.object ?? {}) as { readonly customer_details?: object };
  const named = {
    customer: { email, ...within(about.customer, {}), name: NAME },
    payments: [{ method_details: { card: { cardholder_name: NAME } } }],
    object: within(about.object, { customer_name: NAME, customer_details: { ...details, name: NAME } }) ?? about.object,
    attributes: within(about.attributes, { user_name: NAME }),
  };
  return { ...notification, [member]: { ...about, ...named } };
};

/** Something that happened and changes no license. */
const noise = (sale: Sale): Notification => {
  const kind = 'customer.note_added';
  return personal({ type: kind, event_type: kind, meta: { event_name: kind }, data: { object: {} } }, sale);
};

/** The customer changes personal data. */
const customerUpdate = (processor: ProcessorId, sale: Sale): readonly Notification[] => [
  FULL_SIZE[processor].customerUpdate?.(sale, { name: NAME, email: sale.email }) ?? noise(sale),
];

describe('erasing a license', () => {
  let smtp: SmtpServer;
  let world: World;
  /** Refuses each webhook, and answers with what it was sent. */
  const receiver = createServer((request, response) => {
    response.statusCode = 500;
    request.pipe(response);
  });
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  const isKnown = async (...said: readonly (string | undefined)[]): Promise<readonly boolean[]> => {
    const all = (await everything(world)).toLowerCase();
    return said.map((one = '') => all.includes(one.toLowerCase()));
  };
  /** Starts a trial with an address. */
  const tries = async (seller: Seller, browser: Browser, email: string, deviceInfo: string): Promise<void> => {
    const offer = { trialDays: 14, trialNeedsEmail: true };
    expectStatus(await world.api.as(seller.tenant).patch(`/plans/${seller.planId}`, offer), 200);
    const device = { extensionId: seller.extensionId, fingerprint: randomUUID(), deviceInfo };
    expectStatus(await world.api.post('/licensing/trial', { ...device, email }), 200);
    await world.app.get(MailDeliveryWorker).tick();
    const link = smtp.to(email).map((mail) => /\/buyer\/trial\?token=([\w-]+)/.exec(partOf(mail, 'text/plain'))?.[1]);
    const fields = { token: link.findLast((one) => one !== undefined) ?? '' };
    expect((await browser.send({ action: '/buyer/trial', fields })).text).toContain('Your trial has begun');
  };
  const erase = async (seller: Seller, id: string): Promise<void> => {
    await seller.act(id, 'revoke');
    await seller.deletes(id);
  };

  it.each(PROCESSOR_IDS)(
    'bought by %s erases its buyer from the whole database, whatever the processor sends later',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const listener = {
        kind: 'webhook',
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
        events: ['license.issued', 'license.renewed', 'license.trial_started'],
      };
      expectStatus(await world.api.as(seller.tenant).post('/notifications/endpoints', listener), 201);
      const sale = seller.sale({ email: `${randomUUID()}@buyer.example` });
      const life = subscriptionLife(processor, sale).map((one) => withToken(personal(one, sale), randomUUID()));
      await seller.sendAll([...customerUpdate(processor, sale), ...life, noise(sale)]);
      const [license] = await seller.licenses();
      const api = world.api.as(seller.tenant);
      const noted = { metadata: { contact: NAME }, maxMembers: 1 };
      expectStatus(await api.patch(`/licenses/${license.id}`, noted), 200);
      const self = { email: license.buyerEmail };
      expectStatus(await api.post(`/licenses/${license.id}/members`, self), 201);
      const { code } = expectStatus(await api.post(`/licenses/${license.id}/rotate`), 200).body;
      const deviceInfo = `${NAME}'s laptop`;
      const device = { code, extensionId: seller.extensionId, fingerprint: randomUUID(), deviceInfo };
      expectStatus(await world.api.post('/licensing/activate', device), 200);
      const browser = new Browser(world, smtp);
      await tries(seller, browser, license.buyerEmail, deviceInfo);
      await browser.enter(license.buyerEmail);
      await browser.request(license.buyerEmail);
      const { extensionId, fingerprint } = device;
      const restoring = { extensionId, fingerprint, email: license.buyerEmail };
      expectStatus(await world.api.post('/licensing/restore', restoring), 202);
      await world.app.get(BuyerLinksService).whenIdle();
      await world.app.get(RestoresService).whenIdle();
      await deliverWebhooks(world);
      const said = [String(sale.email), NAME, WORDS, ...(FULL_SIZE[processor].linksOf?.(sale) ?? [])];
      expect(await isKnown(...said)).toEqual(said.map(() => true));
      const brought = personalColumns(world, 'buyer').filter(
        (column) => ![...SEALED, ...FULL_SIZE[processor].notSeen].includes(column),
      );
      expect(await columnsWith(world, said)).toEqual(brought);

      await erase(seller, license.id);
      expect(await isKnown(...said)).toEqual(said.map(() => false));

      const notifications = [...customerUpdate(processor, sale), ...life, ...fullRefund(processor, sale), noise(sale)];
      await seller.sendAll(notifications.map((one) => late(personal(one, sale))));
      for (const { id } of await seller.inbox()) await seller.replay(id);
      expect(await isKnown(...said)).toEqual(said.map(() => false));
      expect(await seller.licenses()).toEqual([]);

      expectStatus(await api.delete(`/extensions/${seller.extensionId}`), 204);
      expect(await isKnown(...said)).toEqual(said.map(() => false));
    },
  );

  it('keeps its buyer erased when a later payment is for an item that no plan lists, or names no e-mail address', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [] });
    await seller.sells(['price_1'], seller.planId, 'license');
    const sale = seller.sale({ email: `${randomUUID()}@buyer.example` });
    const { paidMonth } = FULL_SIZE.stripe;
    await seller.sendAll(paidMonth(sale, 1));
    const [license] = await seller.licenses();
    await erase(seller, license.id);
    const unlisted = { items: [{ price: 'price_unlisted', product: 'prod_unlisted', quantity: 1 }] };
    const more = { items: [{ price: 'price_1', product: 'prod_1', quantity: 2 }] };
    const { email: _, ...unnamed } = sale;
    await seller.sendAll(paidMonth(sale, 2, unlisted).map((one) => personal(one, sale)));
    expect((await seller.inbox('unmapped')).map(({ kind }) => kind)).toContain('invoice.paid');
    expect(await isKnown(sale.email)).toEqual([false]);
    await seller.sendAll(paidMonth(unnamed, 3, more).map((one) => personal(one, sale)));
    expect((await seller.inbox('waiting')).map(({ kind }) => kind)).toContain('invoice.paid');
    expect(await isKnown(sale.email)).toEqual([false]);
    for (const { id } of await seller.inbox()) await seller.replay(id);
    expect(await isKnown(sale.email)).toEqual([false]);
    expect(await seller.licenses()).toEqual([]);
  });

  it('keeps the buyer in other purchases', async () => {
    const seller = await Seller.in(world, 'stripe');
    const email = `${randomUUID()}@buyer.example`;
    const sales = [seller.sale({ email }), seller.sale({ email })];
    for (const sale of sales) await seller.sendAll(oneOffSale('stripe', sale).map((one) => personal(one, sale)));
    const [other, first] = await seller.licenses();
    await erase(seller, first.id);
    expect(await seller.licenses()).toMatchObject([{ id: other.id, buyerEmail: email }]);
    await erase(seller, other.id);
    expect(await isKnown(email)).toEqual([false]);
  });

  it.each(['stripe', 'lemonsqueezy'] as const)(
    'erases its buyer from orders at %s that made no license, once it is the last one',
    async (processor) => {
      const seller = await Seller.in(world, processor, { products: [] });
      const unlisted = async (email: string): Promise<void> => {
        const sale = seller.sale({ email });
        const paid = FULL_SIZE[processor].paidMonth(sale, 1, {
          items: [{ price: 'price_unlisted', product: 'prod_unlisted', quantity: 1 }],
        });
        await seller.sendAll(paid.map((one) => personal(one, sale)));
      };
      const [email, stranger] = [`${randomUUID()}@buyer.example`, `${randomUUID()}@buyer.example`];
      await unlisted(email);
      await unlisted(stranger);
      const api = world.api.as(seller.tenant);
      const issue = async (): Promise<string> =>
        expectStatus(await api.post('/licenses', { planId: seller.planId, buyerEmail: email }), 201).body.id;
      const [first, last] = [await issue(), await issue()];
      await erase(seller, first);
      expect(await isKnown(email, WORDS)).toEqual([true, true]);
      await erase(seller, last);
      expect(await isKnown(email, stranger)).toEqual([false, true]);
      expect((await api.post('/customers/find', { email })).body).toMatchObject({ name: null });
      for (const { id } of await seller.inbox()) await seller.replay(id);
      expect(await isKnown(email)).toEqual([false]);
    },
  );

  it('of several that were bought together keeps the buyer until the last one is erased', async () => {
    const seller = await Seller.in(world, 'paddle', { products: [] });
    await seller.sells(['pri_1'], seller.planId, 'license');
    const sale = seller.sale({ email: `${randomUUID()}@buyer.example` });
    const items = [{ price: 'pri_1', product: 'pro_1', quantity: 2 }];
    await seller.sendAll(FULL_SIZE.paddle.paidMonth(sale, 1, { items }));
    const [second, first] = await seller.licenses();
    await erase(seller, first.id);
    await seller.sendAll(FULL_SIZE.paddle.paidMonth(sale, 2, { items }));
    const renewed = new Date(sale.at.getTime() + 60 * DAY).toISOString();
    expect(await seller.licenses()).toMatchObject([{ id: second.id, buyerEmail: sale.email, expiresAt: renewed }]);
    await erase(seller, second.id);
    expect(await isKnown(sale.email)).toEqual([false]);
  });

  it('succeeds for all licenses of a purchase at once, while its processor reports on it', async () => {
    const seller = await Seller.in(world, 'stripe', { products: [] });
    await seller.sells(['price_1'], seller.planId, 'license');
    const { paidMonth, subscription } = FULL_SIZE.stripe;
    const several = (quantity: number) => ({ items: [{ price: 'price_1', product: 'prod_1', quantity }] });
    const api = world.api.as(seller.tenant);
    for (let round = 0; round < 4; round += 1) {
      const sale = seller.sale({ email: `${randomUUID()}@buyer.example` });
      await seller.sendAll(paidMonth(sale, 1, several(3)));
      const licenses = await seller.licenses();
      for (const { id } of licenses) await seller.act(id, 'revoke');
      const reports = [...paidMonth(sale, 2, several(3)), subscription(sale, 35, 2, several(2))];
      const answers = await Promise.all([
        ...licenses.map(({ id }) => api.delete(`/licenses/${id}`)),
        ...reports.map((one) => seller.send(one)),
      ]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
      expect(await seller.licenses()).toEqual([]);
      expect(await isKnown(sale.email)).toEqual([false]);
    }
  });

  describe('and buying again at Paddle, whose purchases name only the customer', () => {
    /** A buyer who was erased, and what Paddle says when the same customer buys again. */
    const again = async () => {
      const seller = await Seller.in(world, 'paddle');
      const sale = seller.sale({ email: `${randomUUID()}@buyer.example` });
      await seller.sendAll(FULL_SIZE.paddle.paidMonth(sale, 1));
      const [{ id }] = await seller.licenses();
      await erase(seller, id);
      const next = seller.sale({ email: `${randomUUID()}@buyer.example` });
      const told = JSON.stringify(FULL_SIZE.paddle.paidMonth(next, 1)).replaceAll(
        `"ctm_${next.tag}"`,
        `"ctm_${sale.tag}"`,
      );
      const [customer, ...purchase] = JSON.parse(told) as Notification[];
      const update = { ...customer, event_type: 'customer.updated', event_id: `evt_again_${next.tag}` };
      return { seller, email: String(next.email), update, purchase };
    };

    it.each(['before', 'after'] as const)(
      'makes a license when the customer is reported %s the purchase',
      async (when) => {
        const { seller, email, update, purchase } = await again();
        await seller.sendAll(when === 'before' ? [update, ...purchase] : [...purchase, update]);
        const bought = await seller.licenses();
        expect(bought).toMatchObject([{ status: 'active', buyerEmail: email }]);
        expect(await isKnown(email)).toEqual([true]);
        await erase(seller, bought[0].id);
        expect(await isKnown(email)).toEqual([false]);
      },
    );

    it('is forgotten within a day when no purchase follows', async () => {
      const { seller, email, update, purchase } = await again();
      await seller.sendAll([update]);
      expect(await isKnown(email)).toEqual([false]);
      world.clock.forward(DAY);
      await seller.sendAll(purchase);
      expect((await seller.inbox('waiting')).length).toBeGreaterThan(0);
      world.clock.forward(1);
      await world.app.get(ReturningCustomersService).deleteOld();
      const kept = 'select id from returning_customer where tenant_id = $1';
      expect(await world.app.get(DataSource).query(kept, [seller.tenant.tenantId])).toEqual([]);
    });
  });

  it('that the tenant issued erases its buyer too', async () => {
    const { token, licenseId } = await world.given.licensed();
    const { buyerEmail } = (await world.api.as({ token }).get(`/licenses/${licenseId}`)).body;
    expect(await isKnown(buyerEmail)).toEqual([true]);
    expectStatus(await world.api.as({ token }).post(`/licenses/${licenseId}/revoke`), 200);
    expectStatus(await world.api.as({ token }).delete(`/licenses/${licenseId}`), 204);
    expect(await isKnown(buyerEmail)).toEqual([false]);
  });
});
