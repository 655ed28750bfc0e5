import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, everything } from '../delivery/codes.js';
import { CodeClaimsService, DataSource, MailDeliveryWorker, PROCESSOR_IDS, type World } from '../../support/app.js';
import type { Answer } from '../../support/api.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { oneOffSale, subscriptionLife } from '../../support/purchases.js';
import { partOf, type SmtpServer, type TakenMail } from '../../support/smtp-server.js';
import { Seller } from '../../webhooks/seller.js';
import { CHECKOUTS } from './checkout-addresses.js';
import { carried } from './checkouts.js';

describe('buying in an extension', () => {
  let world: World;
  let smtp: SmtpServer;
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const query = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields).toString()}`;
  /** A seller whose plan has a checkout. */
  const open = async (processor: (typeof PROCESSOR_IDS)[number] = 'stripe'): Promise<Seller & { tier: string }> => {
    const seller = await Seller.in(world, processor);
    const api = world.api.as(seller.tenant);
    const { tier, products } = (await api.get(`/plans/${seller.planId}`)).body;
    const [first, ...rest] = products;
    const listed = [{ ...first, checkoutUrl: CHECKOUTS[processor].url }, ...rest];
    expect(expectStatus(await api.call('PUT', `/plans/${seller.planId}/products`, listed), 200).body.products).toEqual(
      listed,
    );
    return Object.assign(seller, { tier });
  };
  const ask = ({ extensionId, tier }: { extensionId: string; tier: string }, fingerprint: string, more = {}) =>
    world.api.get(`/licensing/checkout${query({ extensionId, tier, fingerprint, ...more })}`);
  const claim = (extensionId: string, claimToken: string, fingerprint?: string): Promise<Answer> =>
    world.api.post('/licensing/claim', { extensionId, claimToken, fingerprint });
  const reasonOf = async (extensionId: string, code: string, fingerprint: string) =>
    (await world.api.post('/licensing/activate', { extensionId, code, fingerprint })).body.reason;
  /** Buys at a checkout. */
  const pay = async (seller: Seller, url: string): Promise<string> => {
    const sale = seller.sale();
    await seller.sendAll(oneOffSale(seller.processor, sale).map((one) => carried(seller.processor, one, url)));
    return sale.email ?? '';
  };

  it.each(PROCESSOR_IDS)('unlocks the device that paid at %s, and no other', async (processor) => {
    const seller = await open(processor);
    const [mine, other] = [randomUUID(), randomUUID()];
    const { body, headers } = expectStatus(await ask(seller, mine), 200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const { url, claimToken, expiresAt } = body;
    expect(body).toEqual({ url, claimToken, expiresAt, processor });
    const before = new URL(CHECKOUTS[processor].url);
    before.searchParams.set(CHECKOUTS[processor].parameter, claimToken);
    expect(url).toBe(before.href);

    expect((await claim(seller.extensionId, claimToken, mine)).status).toBe(404);
    await pay(seller, url);
    for (const wrong of [other, undefined]) {
      const refused = expectStatus(await claim(seller.extensionId, claimToken, wrong), 404);
      expect(refused.body.code).toBe('claim_not_found');
    }
    expect(await everything(world)).not.toContain(claimToken);
    expect(world.log.join('\n')).not.toContain(claimToken);
    expect(world.log.join('\n')).not.toContain(mine);
    const { code } = expectStatus(await claim(seller.extensionId, claimToken, mine), 200).body;
    expect(await reasonOf(seller.extensionId, code, mine)).toBe('active');
    expect((await claim(seller.extensionId, claimToken, other)).status).toBe(404);
    expect(await everything(world)).not.toContain(code);
  });

  it('is the same for a subscription, whose first payment several notifications tell', async () => {
    const seller = await open();
    const device = randomUUID();
    const { url, claimToken } = expectStatus(await ask(seller, device), 200).body;
    const sale = seller.sale();
    const begun = subscriptionLife('stripe', sale).slice(0, 4);
    // Only the session says what the address carried, and it may come last.
    await seller.sendAll(begun.toReversed().map((one) => carried('stripe', one, url)));
    const { code } = expectStatus(await claim(seller.extensionId, claimToken, device), 200).body;
    expect(await reasonOf(seller.extensionId, code, device)).toBe('active');
  });

  it('gives the device the same code again, whose answer may have been lost, until it is replaced', async () => {
    const seller = await open();
    const device = randomUUID();
    const { url, claimToken } = expectStatus(await ask(seller, device), 200).body;
    await pay(seller, url);
    const answers = await Promise.all(Array.from({ length: 200 }, () => claim(seller.extensionId, claimToken, device)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { code } = expectStatus(answers[0] ?? (await claim(seller.extensionId, claimToken, device)), 200).body;
    expect(await reasonOf(seller.extensionId, code, device)).toBe('active');
    const [{ id }] = await seller.licenses();
    expectStatus(await world.api.as(seller.tenant).post(`/licenses/${id}/rotate`, {}), 200);
    expect((await claim(seller.extensionId, claimToken, device)).status).toBe(404);
  });

  it('leaves the code and the devices of a buyer who buys again as they are', async () => {
    const seller = await open();
    const [first, second] = [randomUUID(), randomUUID()];
    const email = `${randomUUID()}@buyer.example`;
    const ended = { ...seller.sale({ email }), at: new Date(world.clock.now().getTime() - 40 * DAY) };
    await seller.sendAll(subscriptionLife('stripe', ended).slice(0, 4));
    await world.app.get(MailDeliveryWorker).tick();
    const old = codeOf(smtp.to(email).at(-1));
    const { url, claimToken } = expectStatus(await ask(seller, second), 200).body;
    const again = oneOffSale('stripe', seller.sale({ email }));
    await seller.sendAll(again.map((one) => carried('stripe', one, url)));
    expect(await seller.licenses()).toMatchObject([{ codeHint: old.slice(-5), status: 'active' }]);
    expect(await reasonOf(seller.extensionId, old, first)).toBe('active');
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(seller.extensionId, claimToken, second)));
    const [code, ...others] = new Set(claims.map(({ body }) => body.code));
    expect([code, others]).toEqual([expect.not.stringContaining(old), []]);
    expect(await reasonOf(seller.extensionId, code, second)).toBe('active');
    expect(await reasonOf(seller.extensionId, code, first)).toBe('invalid_code');
    await world.app.get(MailDeliveryWorker).tick();
    expect(partOf(smtp.to(email).at(-1) as TakenMail, 'text/plain')).toContain(old.slice(-5));
  });

  it('stores nothing until somebody pays, however many ask, and every token is another', async () => {
    const seller = await open();
    const device = randomUUID();
    const rows = async (): Promise<string> => everything(world);
    const before = await rows();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(seller, device)));
    expect(new Set(answers.map(({ body }) => body.claimToken)).size).toBe(50);
    expect(await rows()).toBe(before);
  });

  it('ends a day after it was asked for', async () => {
    const seller = await open();
    const device = randomUUID();
    const { url, claimToken, expiresAt } = expectStatus(await ask(seller, device), 200).body;
    expect(new Date(expiresAt).getTime() - world.clock.now().getTime()).toBe(DAY);
    await pay(seller, url);
    await world.forward(DAY - MINUTE);
    await world.forward(MINUTE);
    expect((await claim(seller.extensionId, claimToken, device)).status).toBe(404);
    await world.app.get(CodeClaimsService).deleteExpired();
  });

  it('refuses a token that somebody made up, changed, or had of another extension', async () => {
    const [seller, elsewhere] = [await open(), await open()];
    const device = randomUUID();
    const { url, claimToken } = expectStatus(await ask(seller, device), 200).body;
    await pay(seller, url);
    const bytes = Buffer.from(claimToken.slice(4), 'base64url');
    for (const at of [0, 4, 20, 31]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const forged = `phc_${changed.toString('base64url')}`;
      expect((await claim(seller.extensionId, forged, device)).status).toBe(404);
    }
    const digest = (await world.app.get(DataSource).query('select token_digest from code_claim')).at(-1).token_digest;
    expect(digest).toMatch(/^phd_/);
    expect((await claim(seller.extensionId, digest, device)).status).toBe(404);
    expect((await claim(elsewhere.extensionId, claimToken, device)).status).toBe(404);
    expectStatus(await claim(seller.extensionId, claimToken, device), 200);
  });

  it('says precisely why there is no checkout', async () => {
    const seller = await open();
    const device = randomUUID();
    const refusal = async (fields: object): Promise<unknown> => {
      const { status, body } = await ask({ ...seller, ...fields }, device);
      return [status, body.code];
    };
    expect(await refusal({ extensionId: randomUUID() })).toEqual([403, 'licensing_not_enabled']);
    expect(await refusal({ extensionId: 'x' })).toEqual([403, 'licensing_not_enabled']);
    expect(await refusal({ tier: 'max' })).toEqual([404, 'checkout_not_offered']);
    expect((await ask(seller, device, { processor: 'polar' })).body.code).toBe('checkout_not_offered');
    expect((await ask(seller, device, { processor: 'stripe' })).status).toBe(200);
    expect((await ask(seller, device, { processor: 'cash' })).body.errors).toEqual([
      { field: 'processor', message: expect.stringContaining('must be one of') },
    ]);
    await world.api.as(seller.tenant).patch(`/extensions/${seller.extensionId}`, { licensing: { enabled: false } });
    expect(await refusal({})).toEqual([403, 'licensing_not_enabled']);
    expect(smtp.to('nobody@example.com')).toEqual([]);
  });

  it.each([
    ['stripe', 'http://buy.stripe.com/x', 'must begin with https://'],
    ['stripe', 'https://checkout.stripe.com/c/pay/cs_1', 'must be a Payment Link'],
    ['stripe', 'https://buy.stripe.com/x?client_reference_id=me', 'must not have client_reference_id'],
    ['stripe', 'https://me:pw@buy.stripe.com/x', 'must not contain a user'],
    ['stripe', 'buy.stripe.com/x', 'must be an address'],
    ['stripe', 'javascript:alert(1)', 'must begin with https://'],
    ['paddle', 'https://pay.paddle.io/hsc_01', 'must be a page of yours'],
    ['polar', 'https://polar.sh/checkout/polar_c_1', 'must be on buy.polar.sh'],
    ['creem', 'https://creem.io.example/payment/1', 'must be on creem.io'],
    ['dodo', 'https://shop.example/buy', 'must be on checkout.dodopayments.com'],
  ])('cannot be set up at %s with %s', async (processor, checkoutUrl, message) => {
    const seller = await Seller.in(world, 'stripe');
    const list = [{ processor, productId: 'p', checkoutUrl }];
    const { body } = expectStatus(
      await world.api.as(seller.tenant).call('PUT', `/plans/${seller.planId}/products`, list),
      400,
    );
    expect(body.errors).toEqual([{ field: '0.checkoutUrl', message: expect.stringContaining(message) }]);
  });
});
