import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, formOf, type Page } from '../buyer/buyer.js';
import { everything } from '../delivery/codes.js';
import { Shop } from '../shop.js';
import type { Answer } from '../../support/api.js';
import { DataSource, MailDeliveryWorker, RestoresService, startWorld, type World } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';

describe('restoring a license on another device', () => {
  let world: World;
  let smtp: SmtpServer;
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const open = async (maxActivations = 2): Promise<{ readonly shop: Shop; readonly email: string }> => {
    const shop = await Shop.open(world, { maxActivations });
    const { body } = expectStatus(await shop.mine('GET', `/licenses/${shop.licenseId}`), 200);
    return { shop, email: body.buyerEmail };
  };
  const ask = (shop: Shop, email: string, fingerprint: string): Promise<Answer> =>
    world.api.post('/licensing/restore', { extensionId: shop.extensionId, fingerprint, email });
  const claim = ({ extensionId }: Shop, claimToken: string, fingerprint: string): Promise<Answer> =>
    world.api.post('/licensing/claim', { extensionId, claimToken, fingerprint });
  /** The secrets of the links that an address received, and the numbers in their mails. */
  const links = async (email: string): Promise<readonly { readonly secret: string; readonly number: string }[]> => {
    await world.app.get(RestoresService).whenIdle();
    await world.app.get(MailDeliveryWorker).tick();
    return smtp.to(email).flatMap((mail) => {
      const text = partOf(mail, 'text/plain');
      const [, secret] = /\/buyer\/restore\?token=([\w-]{43})/.exec(text) ?? [];
      const [, number] = /the number (\d{4})/.exec(text) ?? [];
      return secret === undefined || number === undefined ? [] : [{ secret, number }];
    });
  };
  const allow = async (secret: string, browser = new Browser(world, smtp)): Promise<Page> => {
    const seen = await browser.get(`/buyer/restore?token=${secret}`);
    return seen.status === 200 ? browser.send(formOf(seen, 'restore')) : seen;
  };
  /** Has the buyer allow a device. @returns a code of its own */
  const restored = async (shop: Shop, email: string, fingerprint: string): Promise<string> => {
    const { claimToken } = expectStatus(await ask(shop, email, fingerprint), 202).body;
    const last = (await links(email)).at(-1);
    expect((await allow(last?.secret ?? '')).status).toBe(200);
    return expectStatus(await claim(shop, claimToken, fingerprint), 200).body.code;
  };
  const activate = (shop: Shop, fingerprint: string, code: string): Promise<Answer> =>
    shop.activate(fingerprint, { code });

  it('answers strangers as it answers buyers, and mails only to a buyer of this extension', async () => {
    const { shop, email } = await open();
    const elsewhere = await open();
    const stranger = `${randomUUID()}@buyer.example`;
    const answers = [];
    for (const address of [email, stranger, elsewhere.email]) {
      const { status, body, headers } = await ask(shop, address, randomUUID());
      answers.push({ status, names: Object.keys(body), type: headers.get('content-type') });
      expect(body.number).toMatch(/^\d{4}$/);
      expect(new Date(body.expiresAt).getTime() - world.clock.now().getTime()).toBe(DAY);
    }
    expect(answers[0]).toMatchObject({ status: 202 });
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await links(email)).toHaveLength(1);
    expect(await links(stranger)).toEqual([]);
    expect(await links(elsewhere.email)).toEqual([]);
    expect((await ask(shop, 'nobody', randomUUID())).body.errors).toMatchObject([{ field: 'email' }]);
  });

  it('unlocks the device that asked, once its buyer has allowed it, with a code that works nowhere else', async () => {
    const { shop, email } = await open(3);
    const [first, second, thief] = [await shop.seated(), randomUUID(), randomUUID()];
    const { body } = expectStatus(await ask(shop, email, second), 202);
    const [link] = await links(email);
    expect(link?.number).toBe(body.number);
    expect((await claim(shop, body.claimToken, second)).status).toBe(404);
    const browser = new Browser(world, smtp);
    const seen = await browser.get(`/buyer/restore?token=${link?.secret}`);
    expect(seen.text).toContain(body.number);
    expect((await claim(shop, body.claimToken, second)).status).toBe(404);
    const form = formOf(seen, 'restore');
    expect((await browser.send(form, { origin: 'https://evil.example' })).status).toBe(403);
    const presses = await Promise.all(Array.from({ length: 10 }, () => browser.send(form)));
    expect(presses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 410),
    ]);
    expect((await claim(shop, body.claimToken, thief)).status).toBe(404);
    const claims = await Promise.all(Array.from({ length: 50 }, () => claim(shop, body.claimToken, second)));
    expect(claims.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const [code, ...others] = new Set(claims.map(({ body: claimed }) => claimed.code));
    expect(others).toEqual([]);
    expect(code).not.toBe(shop.license.code);
    expect((await activate(shop, thief, code)).body.reason).toBe('invalid_code');
    expect((await activate(shop, second, code)).body).toMatchObject({ success: true, seats: { used: 2, max: 3 } });
    await world.forward(DAY);
    expect((await shop.check(second, { code })).body).toMatchObject({ isActive: true, reason: 'active' });
    expect((await shop.check(first)).body.reason).toBe('active');
    const stored = await everything(world);
    for (const secret of [code, body.claimToken, link?.secret, second]) expect(stored).not.toContain(secret);
    expect((await shop.release(second, { code })).body).toMatchObject({ released: true, seats: { used: 1 } });
    expect((await activate(shop, second, code)).body.success).toBe(true);
  });

  it('says on the page that every seat is taken, and lets the buyer free one there', async () => {
    const { shop, email } = await open(1);
    await shop.seated();
    const device = randomUUID();
    const { claimToken } = expectStatus(await ask(shop, email, device), 202).body;
    const browser = new Browser(world, smtp);
    const page = await allow((await links(email))[0]?.secret ?? '', browser);
    expect(page.text).toContain('Free the seat of one');
    const { code } = expectStatus(await claim(shop, claimToken, device), 200).body;
    expect((await activate(shop, device, code)).body.reason).toBe('seat_limit_reached');
    await browser.send(formOf(await browser.get('/buyer/licenses'), 'release'));
    expect((await activate(shop, device, code)).body.reason).toBe('active');
  });

  it('says nothing of seats to a device that holds one, whose code was replaced', async () => {
    const { shop, email } = await open(1);
    const device = await shop.seated();
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/rotate`, {}), 200);
    await ask(shop, email, device);
    const page = await allow((await links(email))[0]?.secret ?? '');
    expect([page.status, page.text]).toEqual([200, expect.not.stringContaining('Free the seat of one')]);
  });

  it('gives the license that works, also in its days of grace or maintained, before a newer one that does not', async () => {
    for (const terms of [{ graceDays: 30 }, { onEnd: 'maintain' }]) {
      const { shop, email } = await open();
      const { planId } = shop.license;
      const plan = expectStatus(await shop.mine('GET', `/plans/${planId}`), 200).body;
      expectStatus(await shop.mine('PATCH', `/plans/${planId}`, terms), 200);
      const wanted = {
        planId,
        buyerEmail: email,
        expiresAt: new Date(world.clock.now().getTime() + DAY).toISOString(),
      };
      const { id: works } = expectStatus(await shop.mine('POST', '/licenses', wanted), 201).body;
      const { graceDays, onEnd } = plan;
      expectStatus(await shop.mine('PATCH', `/plans/${planId}`, { graceDays, onEnd }), 200);
      expectStatus(await shop.mine('POST', '/licenses', wanted), 201);
      expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`, {}), 200);
      await world.forward(2 * DAY);
      const device = randomUUID();
      expect((await activate(shop, device, await restored(shop, email, device))).body.reason).toBe('active');
      const { devices } = expectStatus(await shop.mine('GET', `/licenses/${works}`), 200).body;
      expect(devices).toHaveLength(1);
    }
  });

  it('opens a link within 15 minutes only, and not that of a license that is gone', async () => {
    const { shop, email } = await open();
    await ask(shop, email, randomUUID());
    const [late] = await links(email);
    await world.forward(15 * MINUTE);
    expect((await allow(late?.secret ?? '')).status).toBe(410);
    await world.app.get(RestoresService).deleteExpired();
    await ask(shop, email, randomUUID());
    const second = (await links(email))[1];
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`, {}), 200);
    expect((await allow(second?.secret ?? '')).status).toBe(410);
    expect((await allow('')).status).toBe(410);
    expectStatus(await shop.mine('DELETE', `/licenses/${shop.licenseId}`), 204);
    expect(await world.app.get(DataSource).query('select from restore_link where email = $1', [email])).toEqual([]);
  });

  it('has the code replaced, refused and erased with that of the license', async () => {
    const { shop, email } = await open();
    const device = randomUUID();
    const code = await restored(shop, email, device);
    expect((await activate(shop, device, code)).body.success).toBe(true);
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`, {}), 200);
    expect((await shop.check(device, { code })).body.reason).toBe('suspended');
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`, {}), 200);
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/rotate`, {}), 200);
    const after = (await shop.check(device, { code })).body;
    expect(after).toMatchObject({ reason: 'active', codeValidUntil: expect.any(String) });
    const left = 'select from device_code where license_id = $1';
    expect(await world.app.get(DataSource).query(left, [shop.licenseId])).toEqual([]);
    await world.forward(8 * DAY);
    expect((await shop.check(device, { code })).body.reason).toBe('code_replaced');
    const next = await restored(shop, email, device);
    expect((await shop.check(device, { code: next })).body.reason).toBe('active');
  });

  it('keeps one code of each device, and of those without a seat only the latest 20', async () => {
    const { shop, email } = await open();
    const seated = randomUUID();
    const code = await restored(shop, email, seated);
    expect((await activate(shop, seated, code)).body.success).toBe(true);
    const count = async (): Promise<number> =>
      (
        await world.app
          .get(DataSource)
          .query('select count(*)::int from device_code where license_id = $1', [shop.licenseId])
      )[0].count;
    await world.app.get(DataSource).query(
      `insert into device_code (code_digest, license_id, fingerprint_digest, code_pepper, created_at)
       select decode(md5(n::text), 'hex'), $1, decode(md5(n::text), 'hex'), 'k1', now() - n * interval '1 min' from generate_series(1, 30) n`,
      [shop.licenseId],
    );
    await world.forward(DAY);
    const again = await restored(shop, email, seated);
    expect(await count()).toBe(1 + 19);
    expect((await shop.check(seated, { code })).body.reason).toBe('invalid_code');
    expect((await shop.check(seated, { code: again })).body.reason).toBe('active');
  });

  it('counts the links to one address, known or not', async () => {
    const { shop } = await open();
    const limited = await startWorld({
      with: world,
      env: { RATE_LIMITS: 'on', RATE_LIMIT_BUYER_LINKS_PER_EMAIL: '2' },
    });
    const input = { extensionId: shop.extensionId, fingerprint: 'a', email: `${randomUUID()}@buyer.example` };
    const statuses: number[] = [];
    for (let asked = 0; asked < 3; asked += 1)
      statuses.push((await limited.api.post('/licensing/restore', input)).status);
    await limited.close();
    expect(statuses).toEqual([202, 202, 429]);
  });

  it('sends a buyer back to the extension from a page that says nothing of the purchase', async () => {
    const page = await new Browser(world, smtp).get('/buyer/thanks?session_id=cs_1');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Go back to the extension');
    expect(page.text).not.toContain('cs_1');
  });
});
