import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/api.js';
import {
  startWorld,
  type World,
  DataSource,
  CodeClaimsService,
  MailDeliveryWorker,
  PROCESSOR_IDS,
} from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { fullRefund, oneOffSale, subscriptionLife, type Sale } from '../../support/purchases.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer } from '../../support/smtp-server.js';
import { Seller } from '../../webhooks/seller.js';
import { codeIn, codeOf, everything, withToken } from './codes.js';

const post = (world: World): Promise<void> => world.app.get(MailDeliveryWorker).tick();

describe('the code of a purchase', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterEach(() => smtp.obey());
  afterAll(() => world.close());

  /** A buyer with one purchase through Stripe. */
  const sold = async (): Promise<{ readonly seller: Seller; readonly sale: Sale; readonly to: string }> => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('stripe', sale));
    return { seller, sale, to: sale.email ?? '' };
  };
  const deliveryOf = async (seller: Seller): Promise<string | null> => (await seller.licenses())[0].delivery;
  const resend = async ({ tenant }: Seller, id: string): Promise<Answer> =>
    expectStatus(await world.api.as(tenant).post(`/licenses/${id}/resend`), 200);
  const reasonOf = async ({ extensionId }: Seller, code: string, fingerprint = randomUUID()): Promise<string> =>
    (await world.api.post('/licensing/activate', { code, extensionId, fingerprint })).body.reason;

  it.each(PROCESSOR_IDS)(
    'sold by %s is mailed to the buyer once, is good, and is known to nobody else',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      const life = oneOffSale(processor, sale);
      await seller.sendAll([...life, ...life]);
      expect(await deliveryOf(seller)).toBe('waiting');
      await post(world);
      await seller.sendAll(life);
      await post(world);
      const [mail, ...more] = smtp.to(sale.email ?? '');
      expect(more).toEqual([]);
      const code = codeOf(mail);
      expect(await reasonOf(seller, code)).toBe('active');
      const [license] = await seller.licenses();
      expect(license).toMatchObject({ delivery: 'sent', codeHint: code.slice(-5) });
      expect(await everything(world)).not.toContain(code);
      expect(world.log.join('\n')).not.toContain(code);
      expect(JSON.stringify(await seller.inbox())).not.toContain(code);
    },
  );

  it('is mailed as text and HTML that say what it is for and how to activate it', async () => {
    const seller = await Seller.in(world, 'stripe');
    await world.api.as(seller.tenant).patch(`/extensions/${seller.extensionId}`, { name: 'Tabs & <Owls>' });
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('stripe', sale));
    await post(world);
    const [mail] = smtp.to(sale.email ?? '');
    if (mail === undefined) throw new Error('No mail came');
    expect(headerOf(mail, 'Subject')).toBe('Your license code for Tabs & <Owls>');
    const [license] = await seller.licenses();
    const text = partOf(mail, 'text/plain');
    expect(text).toContain(`Here is your license code for Tabs & <Owls> (${license.tier}):`);
    expect(text).toContain('1. Open Tabs & <Owls> in your browser');
    expect(text).toContain(`up to ${license.seats.max} devices`);
    expect(text).toMatch(/^Order: \S+\nDate: \d{1,2} \w+ \d{4}$/m);
    expect(text).toMatch(/^Manage my license:\nhttps?:\/\/\S+\/buyer$/m);
    expect(text).toContain('Pierhead sends this mail because this address has a license for Tabs & <Owls>.');
    const html = partOf(mail, 'text/html');
    expect(html).toContain('Tabs &amp; &lt;Owls&gt;');
    expect(codeIn(html)).toBe(codeOf(mail));
  });

  it('that cannot be delivered is shown as undelivered', async () => {
    smtp.refuse('RCPT TO', '550 5.1.1 no such user');
    const { seller } = await sold();
    await post(world);
    expect(await deliveryOf(seller)).toBe('undelivered');
  });

  it('that the mail server refuses for three days is retried until then, and deleted afterwards', async () => {
    smtp.refuse('DATA.', '451 4.7.1 later');
    const { seller } = await sold();
    await post(world);
    expect(await deliveryOf(seller)).toBe('waiting');
    for (let day = 0; day < 4; day += 1) {
      await world.forward(DAY);
      await post(world);
    }
    expect(await deliveryOf(seller)).toBe('undelivered');
  });

  it('is replaced and mailed by a resend, which keeps the seats and does not return the code', async () => {
    const { seller, to } = await sold();
    await post(world);
    const first = codeOf(smtp.to(to)[0]);
    const device = randomUUID();
    expect(await reasonOf(seller, first, device)).toBe('active');
    const [license] = await seller.licenses();
    const answer = await resend(seller, license.id);
    expect(answer.body).toMatchObject({ id: license.id, delivery: 'waiting', seats: { used: 1 } });
    expect(() => codeIn(answer.text)).toThrow('No code');
    expect(await reasonOf(seller, first)).toBe('code_replaced');
    await post(world);
    const second = codeOf(smtp.to(to)[1]);
    expect(await reasonOf(seller, second, device)).toBe('active');
    expect(await deliveryOf(seller)).toBe('sent');
    const timeline = (await world.api.as(seller.tenant).get(`/extensions/${seller.extensionId}/events`)).text;
    expect(timeline).toContain('license_resent');
    expect(() => codeIn(timeline)).toThrow('No code');
  });

  it('that still waits is not sent once it is replaced', async () => {
    const { seller, to } = await sold();
    const [{ id }] = await seller.licenses();
    await resend(seller, id);
    await resend(seller, id);
    await post(world);
    expect(smtp.to(to)).toHaveLength(1);
    expect(await reasonOf(seller, codeOf(smtp.to(to)[0]))).toBe('active');
    const { body } = await world.api.as(seller.tenant).post(`/licenses/${id}/resend`);
    expect(body.delivery).toBe('waiting');
    const rotated = expectStatus(await world.api.as(seller.tenant).post(`/licenses/${id}/rotate`), 200).body;
    expect(rotated.delivery).toBeNull();
    await post(world);
    expect(smtp.to(to)).toHaveLength(1);
    expect(await deliveryOf(seller)).toBeNull();
  });

  it('does not change the delivery state of a later code', async () => {
    const { seller, to } = await sold();
    const [{ id }] = await seller.licenses();
    const held = smtp.hold();
    const handing = post(world);
    await held.taken;
    smtp.refuse('RCPT TO', '451 4.7.1 later');
    await resend(seller, id);
    held.open();
    await handing;
    expect(smtp.to(to)).toHaveLength(1);
    expect(await deliveryOf(seller)).toBe('waiting');
    smtp.obey();
    await world.forward(DAY);
    await post(world);
    expect(await deliveryOf(seller)).toBe('sent');
    expect(smtp.to(to)).toHaveLength(2);
  });

  it('is not sent for a deleted license, nor for one that is refunded first', async () => {
    const { seller, to } = await sold();
    const [{ id }] = await seller.licenses();
    await seller.act(id, 'revoke');
    expect(await world.api.as(seller.tenant).post(`/licenses/${id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'license_revoked' },
    });
    await seller.deletes(id);
    const other = await Seller.in(world, 'stripe');
    const sale = other.sale();
    await other.sendAll([...fullRefund('stripe', sale), ...oneOffSale('stripe', sale)]);
    await post(world);
    expect(smtp.to(to)).toEqual([]);
    expect(smtp.to(sale.email ?? '')).toEqual([]);
    expect((await other.licenses())[0]).toMatchObject({ status: 'revoked', delivery: null });
  });

  it('of a license issued by hand is not sent until the tenant asks for it', async () => {
    const owner = await world.given.licensed();
    const { body } = await world.api.as(owner).get(`/licenses/${owner.licenseId}`);
    expect(body.delivery).toBeNull();
    expectStatus(await world.api.as(owner).post(`/licenses/${owner.licenseId}/resend`), 200);
    await post(world);
    const code = codeOf(smtp.to(body.buyerEmail)[0]);
    expect(code).not.toBe(owner.code);
  });

  it('waits, sealed, without a mail server, and the tenant sees that', async () => {
    const silent = await startWorld();
    const seller = await Seller.in(silent, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('stripe', sale));
    await silent.forward(4 * DAY);
    await post(silent);
    expect((await seller.licenses())[0].delivery).toBe('waiting');
    const stored = await everything(silent);
    expect(() => codeIn(stored)).toThrow('No code');
    const later = await startWorld({ with: silent, env: smtp.env });
    await post(later);
    const code = codeOf(smtp.to(sale.email ?? '')[0]);
    expect((await seller.licenses())[0]).toMatchObject({ delivery: 'sent', codeHint: code.slice(-5) });
    await later.close();
    await silent.close();
  });

  describe('with a claim token', () => {
    const newToken = (): string => `claim-${randomUUID()}`;
    const claim = (extensionId: string, claimToken: string, via = world) =>
      via.api.post('/licensing/claim', { extensionId, claimToken });
    /** A buyer with one purchase in a shop that set a claim token. */
    const claimable = async (token: string) => {
      const seller = await Seller.in(world, 'stripe');
      const sale = seller.sale();
      await seller.sendAll(oneOffSale('stripe', sale).map((one) => withToken(one, token)));
      return { seller, sale };
    };
    /** An answer without its unique parts. */
    const said = ({ status, body, headers }: Awaited<ReturnType<typeof claim>>): object => {
      const { requestId, ...rest } = body;
      return { status, rest, hasId: typeof requestId, length: headers.get('content-length') };
    };

    it.each(PROCESSOR_IDS)('from %s is returned once for the token', async (processor) => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      const token = newToken();
      const life = oneOffSale(processor, sale).map((one) => withToken(one, token));
      expect((await claim(seller.extensionId, token)).status).toBe(404);
      await seller.sendAll([...life, ...life]);
      const { body, headers } = expectStatus(await claim(seller.extensionId, token), 200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(Object.keys(body)).toEqual(['code']);
      expect(await reasonOf(seller, body.code)).toBe('active');
      await seller.sendAll(life);
      expect((await claim(seller.extensionId, token)).status).toBe(404);
      await post(world);
      expect(codeOf(smtp.to(sale.email ?? '')[0])).toBe(body.code);
    });

    it('gets the same answer for an unknown token, a used one, an expired one and one of another extension', async () => {
      const [used, late, elsewhere] = [newToken(), newToken(), newToken()];
      const one = await claimable(used);
      expectStatus(await claim(one.seller.extensionId, used), 200);
      const two = await claimable(late);
      await world.forward(DAY);
      const three = await claimable(elsewhere);
      const answers = [
        await claim(one.seller.extensionId, newToken()),
        await claim(one.seller.extensionId, used),
        await claim(two.seller.extensionId, late),
        await claim(one.seller.extensionId, elsewhere),
        await claim('no-uuid', elsewhere),
      ].map(said);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, rest: { code: 'claim_not_found' } });
      expectStatus(await claim(three.seller.extensionId, elsewhere), 200);
    });

    it('promises a mail only where the service sends some', async () => {
      const input = { extensionId: randomUUID(), claimToken: newToken() };
      expect((await world.api.post('/licensing/claim', input)).body.detail).toContain('also mailed');
      const silent = await startWorld();
      const { body } = await silent.api.post('/licensing/claim', input);
      await silent.close();
      expect(body).toMatchObject({ code: 'claim_not_found', detail: expect.not.stringContaining('mailed') });
    });

    it('is returned once to ten simultaneous requests', async () => {
      const token = newToken();
      const { seller } = await claimable(token);
      const answers = await Promise.all(Array.from({ length: 10 }, () => claim(seller.extensionId, token)));
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...Array<string>(9).fill('404')]);
    });

    it('is stored sealed, with a digest of the token', async () => {
      const token = newToken();
      const { seller } = await claimable(token);
      const stored = await everything(world);
      expect(stored).not.toContain(token);
      expect(() => codeIn(stored)).toThrow('No code');
      expect(JSON.stringify(await seller.inbox()) + world.log.join('\n')).not.toContain(token);
      expectStatus(await claim(seller.extensionId, token), 200);
    });

    it('works also when a later notification of the same checkout carries the token', async () => {
      const seller = await Seller.in(world, 'stripe');
      const sale = seller.sale();
      const token = newToken();
      const life = subscriptionLife('stripe', sale);
      const session = life.find(({ type }) => type === 'checkout.session.completed');
      if (session === undefined) throw new Error('The life begins with a checkout');
      await seller.sendAll(life.filter((one) => one !== session));
      expect((await claim(seller.extensionId, token)).status).toBe(404);
      await seller.sendAll([withToken(session, token)]);
      const { body } = expectStatus(await claim(seller.extensionId, token), 200);
      expect(await reasonOf(seller, body.code)).not.toBe('invalid_code');
    });

    it('of a purchase that waited for its plan can be claimed once the plan exists', async () => {
      const seller = await Seller.in(world, 'stripe', { products: [] });
      const token = newToken();
      await seller.sendAll(oneOffSale('stripe', seller.sale()).map((one) => withToken(one, token)));
      expect((await claim(seller.extensionId, token)).status).toBe(404);
      await seller.sells(['plink_1']);
      const [{ id }] = await seller.inbox('unmapped');
      await seller.replay(id);
      expectStatus(await claim(seller.extensionId, token), 200);
    });

    it('is not returned once it is replaced', async () => {
      const token = newToken();
      const { seller } = await claimable(token);
      const [{ id }] = await seller.licenses();
      await resend(seller, id);
      expect((await claim(seller.extensionId, token)).status).toBe(404);
    });

    it('that another purchase repeats returns the first code only, and both purchases succeed', async () => {
      const token = newToken();
      const { seller } = await claimable(token);
      const sale = seller.sale();
      await seller.sendAll(oneOffSale('stripe', sale).map((one) => withToken(one, token)));
      expect(await seller.licenses()).toHaveLength(2);
      const { body } = expectStatus(await claim(seller.extensionId, token), 200);
      const [, first] = await seller.licenses();
      expect(body.code.slice(-5)).toBe(first.codeHint);
      expect((await claim(seller.extensionId, token)).status).toBe(404);
    });

    it('requires a token of at least twenty characters', async () => {
      const short = 'x'.repeat(19);
      const { seller } = await claimable(short);
      expect(await claim(seller.extensionId, short)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'claimToken' }] },
      });
    });

    it('is deleted after a day, and requests for it are limited', async () => {
      const { seller } = await claimable(newToken());
      const strict = await startWorld({ with: world, env: { RATE_LIMITS: 'on', RATE_LIMIT_CLAIM_PER_ADDRESS: '2' } });
      await world.forward(DAY);
      await strict.app.get(CodeClaimsService).deleteExpired();
      const [{ count }] = await world.app.get(DataSource).query('select count(*)::int from code_claim');
      expect(count).toBe(0);
      const statuses: number[] = [];
      for (let time = 0; time < 3; time += 1)
        statuses.push((await claim(seller.extensionId, newToken(), strict)).status);
      expect(statuses).toEqual([404, 404, 429]);
      await strict.close();
    });
  });
});
