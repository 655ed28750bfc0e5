import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeIn, everything } from '../delivery/codes.js';
import { Shop } from '../shop.js';
import { downloaded, exported, rowsOf, unzipped } from '../../tenant-data/tenant-fixture.js';
import { DataSource, startWorld, type World } from '../../support/app.js';
import { hasChromium, theChromium } from '../../support/chromium.js';
import { MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer, wordsIn } from '../../support/smtp-server.js';
import { Browser, formOf, formsOf, type Page } from './buyer.js';
import { JPEG, pngOf } from './logos.js';

const inChromium = hasChromium("the buyers' page in a real browser") ? it : it.skip;

describe("the buyers' page", () => {
  let smtp: SmtpServer;
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  beforeEach(() => {
    browser = new Browser(world, smtp);
  });
  afterAll(() => world.close());

  const emailOf = async (shop: Shop): Promise<string> =>
    expectStatus(await shop.mine('GET', `/licenses/${shop.licenseId}`), 200).body.buyerEmail;
  const enter = async (): Promise<{ readonly shop: Shop; readonly email: string; readonly page: Page }> => {
    const shop = await Shop.open(world, { maxActivations: 2 });
    const email = await emailOf(shop);
    return { shop, email, page: await browser.enter(email) };
  };
  /** A page without its unique parts. */
  const said = ({ status, headers, text }: Page): object => ({
    status,
    text,
    headers: Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))),
  });

  it('answers every address alike, and mails a link only to buyers', async () => {
    const email = await emailOf(await Shop.open(world));
    const stranger = `${randomUUID()}@buyer.example`;
    const answers = [await browser.request(email), await browser.request(stranger)].map(said);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 200, text: expect.stringContaining('we have sent a link') });
    expect(await browser.linkOf(stranger)).toBeNull();
    expect(await browser.linkOf(email)).toMatch(/^[\w-]{43}$/);
    expect(browser.cookie).toBeNull();
  });

  it('reads an address as people type it, and refuses anything else', async () => {
    const email = await emailOf(await Shop.open(world));
    expect((await browser.request(`  ${email.toUpperCase()} `)).status).toBe(200);
    expect(await browser.linkOf(email)).not.toBeNull();
    for (const wrong of ['', 'nobody', 'a@b', 'a\0@example.com', `${'x'.repeat(300)}@example.com`]) {
      const { status, headers, text } = await browser.request(wrong);
      expect({ wrong, status, type: headers.get('content-type') }).toEqual({
        wrong,
        status: 400,
        type: 'text/html; charset=utf-8',
      });
      expect(text).toContain('<a href="/buyer">');
    }
  });

  it('opens a link once, within 15 minutes, and not before the button is pressed', async () => {
    const email = await emailOf(await Shop.open(world));
    await browser.request(email);
    const link = (await browser.linkOf(email)) ?? '';
    const seen = await browser.get(`/buyer/enter?token=${link}`);
    await browser.get(`/buyer/enter?token=${link}`);
    const opened = await browser.send(formOf(seen, 'enter'));
    expect(opened).toMatchObject({ status: 303 });
    expect(opened.headers.get('location')).toBe('/buyer/licenses');
    expect(opened.headers.get('set-cookie')).toMatch(
      /^buyer_session=[\w-]{43}; Max-Age=3600; Path=\/buyer; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const other = new Browser(world, smtp);
    expect(await other.send(formOf(seen, 'enter'))).toMatchObject({
      status: 410,
      text: expect.stringContaining('no longer works'),
    });
    await other.request(email);
    const late = (await other.linkOf(email)) ?? '';
    expect(late).not.toBe(link);
    await world.forward(15 * MINUTE);
    const spent = await other.send({ action: '/buyer/enter', fields: { token: late } });
    expect(spent.status).toBe(410);
    for (const token of ['', 'x', 'x'.repeat(43), "' or true --", '\0'])
      expect(said(await other.send({ action: '/buyer/enter', fields: { token } }))).toEqual(said(spent));
    expect(other.cookie).toBeNull();
  });

  it('opens a link once for two simultaneous requests', async () => {
    const email = await emailOf(await Shop.open(world));
    await browser.request(email);
    const fields = { token: (await browser.linkOf(email)) ?? '' };
    const both = await Promise.all([1, 2].map(() => new Browser(world, smtp).send({ action: '/buyer/enter', fields })));
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['303', '410']);
  });

  it('shows the licenses of the address from all tenants, and nobody else’s', async () => {
    const { email, shop } = await enter();
    const second = await world.given.licensed();
    const planId = second.planId;
    const again = await world.api.as(second).post('/licenses', { planId, buyerEmail: email });
    const code: string = expectStatus(again, 201).body.code;
    await world.api.as(second).patch(`/extensions/${second.extensionId}`, { name: '<b>Owl</b> & "Co"' });
    expectStatus(await shop.activate(randomUUID(), { deviceInfo: '<script>alert(1)</script>' }), 200);
    const { status, text: page } = await browser.get('/buyer/licenses');
    const text = page.replaceAll(/\s+/g, ' ');
    expect(status).toBe(200);
    expect(text).toContain('&lt;b&gt;Owl&lt;/b&gt; &amp; &quot;Co&quot;');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toMatch(/<b>|<script/);
    expect(text.match(/class="license"/g)).toHaveLength(2);
    for (const shown of [email, code.slice(-5), shop.license.code.slice(-5), '1 of 2 devices'])
      expect(text).toContain(shown);
    expect(text).toContain('<span class="active">active</span>');
    for (const hidden of [code, shop.license.code, second.code.slice(-5), second.tenantId])
      expect(text).not.toContain(hidden);
  });

  it('frees a seat, and answers a repeated request alike', async () => {
    const { shop } = await enter();
    const device = await shop.seated();
    const form = formOf(await browser.get('/buyer/licenses'), 'release');
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await browser.send(form);
      expect({ status, to: headers.get('location') }).toEqual({ status: 303, to: '/buyer/licenses' });
    }
    expect(await shop.used()).toBe(0);
    expect((await shop.check(device)).body.reason).toBe('seat_not_active');
  });

  it('replaces a code, shows the new one once, and ignores a repeated request', async () => {
    const { shop, page } = await enter();
    const device = await shop.seated();
    const form = formOf(page, 'rotate');
    const shown = await browser.send(form);
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('not shown again') });
    const code = codeIn(shown.text);
    expect((await shop.activate('another')).body.reason).toBe('code_replaced');
    expect((await shop.check(device, { code })).body.reason).toBe('active');
    const repeated = await browser.send(form);
    expect(repeated.status).toBe(409);
    expect(() => codeIn(repeated.text)).toThrow('No code');
    expect((await shop.check(device, { code })).body.reason).toBe('active');
    expect(() => codeIn(page.text)).toThrow('No code');
    const stored = await everything(world);
    expect(() => codeIn(stored)).toThrow('No code');
    expect(stored).toContain('The buyer replaced the code');
    expect(world.log.join('\n')).not.toContain(code);
  });

  it('shows a revoked license as such, and gives it no new code', async () => {
    const { shop, page } = await enter();
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`, {}), 200);
    expect((await browser.send(formOf(page, 'rotate'))).status).toBe(409);
    const { text } = await browser.get('/buyer/licenses');
    expect(text).toContain('>revoked</span>');
    expect(text).not.toContain('/buyer/rotate');
  });

  it("changes nothing of another buyer's license", async () => {
    const { page } = await enter();
    const other = await Shop.open(world);
    await other.seated();
    const { body } = await other.mine('GET', `/licenses/${other.licenseId}`);
    const { form = '' } = formOf(page, 'rotate').fields;
    const fields = { form, license: other.licenseId, device: body.devices[0].id, hint: body.codeHint };
    for (const action of ['release', 'rotate'])
      expect((await browser.send({ action: `/buyer/${action}`, fields })).status).toBe(409);
    for (const license of ['', 'no-uuid', '\0', randomUUID()])
      expect((await browser.send({ action: '/buyer/release', fields: { ...fields, license } })).status).toBe(409);
    expect((await other.mine('GET', `/licenses/${other.licenseId}`)).body).toEqual(body);
  });

  it("frees no seat of another license by naming one's own", async () => {
    const { shop, page } = await enter();
    const other = await Shop.open(world);
    await other.seated();
    const { body } = await other.mine('GET', `/licenses/${other.licenseId}`);
    const { form = '' } = formOf(page, 'rotate').fields;
    await browser.send({
      action: '/buyer/release',
      fields: { form, license: shop.licenseId, device: body.devices[0].id },
    });
    expect(await other.used()).toBe(1);
  });

  it('refuses a form without its session or its token', async () => {
    const { shop, page } = await enter();
    await shop.seated();
    const own = await browser.get('/buyer/licenses');
    const stranger = new Browser(world, smtp);
    const theirs = formOf(await stranger.enter(await emailOf(await Shop.open(world))), 'rotate').fields['form'] ?? '';
    const before = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    for (const action of ['release', 'rotate', 'leave']) {
      const form = formOf(own, action);
      for (const token of ['', 'x', theirs])
        expect((await browser.send({ ...form, fields: { ...form.fields, form: token } })).status).toBe(403);
      expect((await new Browser(world, smtp).send(form)).status).toBe(403);
    }
    expect((await shop.mine('GET', `/licenses/${shop.licenseId}`)).body).toEqual(before);
    expect(formsOf(page).length).toBeGreaterThan(0);
  });

  it('refuses a form from another site', async () => {
    const email = await emailOf(await Shop.open(world));
    await browser.request(email);
    const form = { action: '/buyer/enter', fields: { token: (await browser.linkOf(email)) ?? '' } };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.author.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const { status, text } = await browser.send(form, headers as Readonly<Record<string, string>>);
      expect({ headers, status }).toEqual({ headers, status: 403 });
      expect(text).toContain('Nothing was changed');
    }
    expect(browser.cookie).toBeNull();
    const own = { 'sec-fetch-site': 'same-origin', origin: world.url };
    expect((await browser.send(form, own)).status).toBe(303);
    expect(
      (await browser.send(formOf(await browser.get('/buyer/licenses'), 'leave'), { origin: 'http://127.0.0.1:0' }))
        .status,
    ).toBe(303);
  });

  it('ends a session when the buyer signs out, and after an hour', async () => {
    const { page, email } = await enter();
    const { cookie } = browser;
    expect((await browser.get('/buyer')).headers.get('location')).toBe('/buyer/licenses');
    expect((await browser.send(formOf(page, 'leave'))).headers.get('location')).toBe('/buyer');
    expect(browser.cookie).toBeNull();
    browser.cookie = cookie;
    expect((await browser.get('/buyer/licenses')).headers.get('location')).toBe('/buyer');
    const later = await browser.enter(email);
    await world.forward(60 * MINUTE);
    expect((await browser.get('/buyer/licenses')).status).toBe(303);
    expect((await browser.send(formOf(later, 'rotate'))).status).toBe(403);
  });

  it('runs no script, cannot be framed and is not cached, error pages included', async () => {
    const { page } = await enter();
    const pages = [
      page,
      await browser.get('/buyer/enter?token="><script>'),
      await browser.request('nobody'),
      await browser.send({ action: '/buyer/enter', fields: { token: 'x' } }),
    ];
    for (const { headers, text } of pages) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; (img-src 'self'; )?form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(/<script|\son\w+=|style="/i);
      expect(text).toContain('<meta name="viewport"');
    }
  });

  it('reads only forms, and only short ones', async () => {
    const ask = (body: string, type: string) =>
      fetch(`${world.url}/buyer/link`, { method: 'POST', body, headers: { 'content-type': type } });
    const form = 'application/x-www-form-urlencoded';
    expect((await ask('{"email":"a@example.com"}', 'application/json')).status).toBe(415);
    expect((await ask(`email=${'x'.repeat(10_000)}`, form)).status).toBe(413);
    expect((await ask('email=a@example.com&email=b@example.com', form)).status).toBe(400);
    expect((await ask(Array.from({ length: 30 }, (_, at) => `f${at}=1`).join('&'), form)).status).toBe(400);
    expect((await fetch(`${world.url}/buyer/link`, { method: 'POST' })).status).toBe(415);
  });

  it('stores no link or session that a stolen database would reveal, and logs none', async () => {
    const { email } = await enter();
    await browser.request(email);
    const link = (await browser.linkOf(email)) ?? '';
    const stored = `${await everything(world)}\n${world.log.join('\n')}`;
    for (const secret of [link, browser.cookie?.split('=')[1] ?? '']) {
      expect(secret).toHaveLength(43);
      expect(stored).not.toContain(secret);
    }
    expect(world.log.join('\n')).not.toContain(email);
  });

  it('limits requests per address and per e-mail, whether the e-mail is known or not', async () => {
    const email = await emailOf(await Shop.open(world));
    const env = {
      ...smtp.env,
      RATE_LIMITS: 'on',
      RATE_LIMIT_BUYER_PER_ADDRESS: '12',
      RATE_LIMIT_BUYER_LINKS_PER_EMAIL: '2',
    };
    const strict = await startWorld({ with: world, env });
    const eager = new Browser(strict, smtp);
    for (const asked of [email, `${randomUUID()}@buyer.example`]) {
      const statuses: number[] = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await eager.request(asked)).status);
      expect(statuses).toEqual([200, 200, 429, 429]);
    }
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1)
      statuses.push((await eager.send({ action: '/buyer/enter', fields: { token: 'x' } })).status);
    expect(statuses).toEqual([410, 410, 410, 410, 429]);
    await strict.close();
  });

  describe('of a seller with a name, a colour and a logo', () => {
    const logo = pngOf(120, 40);
    const sha256 = createHash('sha256').update(logo).digest('hex');
    const BRAND = {
      displayName: '<b>Owl</b> & "Co" 🦉',
      supportAddress: 'help+me@owl.example',
      accentColor: '#FFE600',
      logo: logo.toString('base64'),
    };
    const branded = async (): Promise<Shop> => {
      const shop = await Shop.open(world, { maxActivations: 2 });
      expectStatus(await shop.mine('PATCH', '/branding', BRAND), 200);
      return shop;
    };

    it('has nothing set until its tenant sets something, and refuses what it cannot show', async () => {
      const shop = await Shop.open(world);
      const empty = { displayName: null, supportAddress: null, accentColor: null, logo: null };
      expect(expectStatus(await shop.mine('GET', '/branding'), 200).body).toMatchObject(empty);
      const refused: readonly (readonly [string, unknown, string])[] = [
        ['displayName', 'x'.repeat(51), '1 to 50 characters'],
        ['displayName', 'x'.repeat(10_000), '1 to 50 characters'],
        ['displayName', ' \u200d ', 'visible'],
        ['displayName', '\u202egnp.lwo', 'direction'],
        ['displayName', 'two\nlines', 'one line'],
        ['displayName', '', '1 to 50 characters'],
        ['supportAddress', 'javascript:alert(1)', 'https URL'],
        ['supportAddress', 'http://owl.example', 'https URL'],
        ['accentColor', 'red;}', '#0b5fcc'],
        ['accentColor', '#fff', '#0b5fcc'],
        ['accentColor', '#0b5fcc;}', '#0b5fcc'],
        ['logo', 'no base64!', 'base64'],
        ['logo', Buffer.from('<svg onload="alert(1)"/>').toString('base64'), 'PNG or JPEG'],
        ['logo', logo.subarray(0, -1).toString('base64'), 'complete'],
        ['logo', Buffer.concat([logo, Buffer.from('<script>')]).toString('base64'), 'nothing after it'],
        ['logo', pngOf(2000, 10).toString('base64'), '1024 pixels'],
      ];
      for (const [field, value, why] of refused) {
        const { status, body } = await shop.mine('PATCH', '/branding', { [field]: value });
        expect({ field, value, status, errors: body.errors }).toEqual({
          field,
          value,
          status: 400,
          errors: [{ field, message: expect.stringContaining(why) }],
        });
      }
      expect((await shop.mine('GET', '/branding')).body).toMatchObject(empty);
    });

    it('shows them on every page, as text, in colours that can be read', async () => {
      const shop = await branded();
      const email = await emailOf(shop);
      const seller = shop.license.tenantId;
      const shown = expectStatus(await shop.mine('GET', '/branding'), 200).body;
      expect(shown).toMatchObject({
        accentColor: '#ffe600',
        logo: { url: `/buyer/logo/${sha256}`, type: 'image/png' },
      });
      const asked = await browser.get(`/buyer?seller=${seller}`);
      const sent = await browser.send({ action: '/buyer/link', fields: { email, seller } });
      const opened = await browser.get(`/buyer/enter?token=${await browser.linkOf(email)}&seller=${seller}`);
      await browser.send(formOf(opened, 'enter'));
      const licenses = await browser.get('/buyer/licenses');
      const code = await browser.send(formOf(licenses, 'rotate'));
      for (const { status, headers, text } of [asked, sent, opened, licenses, code]) {
        expect(status).toBe(200);
        expect(text).toContain('<bdi>&lt;b&gt;Owl&lt;/b&gt; &amp; &quot;Co&quot; 🦉</bdi>');
        expect(text).toContain(`<img src="/buyer/logo/${sha256}" alt="" />`);
        expect(text).toContain('<a href="mailto:help%2Bme@owl.example"');
        expect(text).toContain(':root{--brand:#ffe600}@supports');
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/]+=' 'sha256-[\w+/]+='; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        );
      }
      for (const wrong of [randomUUID(), 'x', "' or true --"]) {
        const { status, text } = await browser.get(`/buyer?seller=${encodeURIComponent(wrong)}`);
        if (status === 200) expect(text).not.toContain('Owl&lt;');
        else expect(status).toBe(303);
      }
    });

    it('keeps sellers apart on one page', async () => {
      const shop = await branded();
      const email = await emailOf(shop);
      const second = await world.given.licensed();
      const other = world.api.as(second);
      expectStatus(await other.post('/licenses', { planId: second.planId, buyerEmail: email }), 201);
      expectStatus(await other.patch('/branding', { displayName: 'Second', accentColor: '#0b5fcc' }), 200);
      const { text } = await browser.enter(email);
      expect(text).toContain('.seller-0{--brand:#0b5fcc}');
      expect(text).toContain('.seller-1{--brand:#ffe600}');
      expect(text).not.toContain(':root{--brand:');
      expect(text.indexOf('<bdi>Second</bdi>')).toBeLessThan(text.indexOf('Owl&lt;'));
    });

    it('serves the logo to keep for ever, as the picture that it is, until the seller has another', async () => {
      const shop = await branded();
      const path = `${world.url}/buyer/logo/${sha256}`;
      const answer = await fetch(path);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(logo);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      for (const wrong of ['x', '0'.repeat(64), sha256.toUpperCase(), '..%2f..%2fpackage.json'])
        expect((await fetch(`${world.url}/buyer/logo/${wrong}`)).status).toBe(404);
      const jpeg = expectStatus(await shop.mine('PATCH', '/branding', { logo: JPEG.toString('base64') }), 200).body;
      expect((await fetch(`${world.url}${jpeg.logo.url}`)).headers.get('content-type')).toBe('image/jpeg');
      const gone = expectStatus(await shop.mine('PATCH', '/branding', { logo: null, displayName: null }), 200).body;
      expect(gone).toMatchObject({ displayName: null, logo: null, supportAddress: BRAND.supportAddress });
    });

    it('signs mails, which load nothing and lead to pages in that look', async () => {
      const shop = await branded();
      const email = await emailOf(shop);
      expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/resend`), 200);
      await browser.request(email);
      expect(await browser.linkOf(email)).not.toBeNull();
      const mails = smtp.to(email).slice(-2);
      for (const mail of mails) {
        const [text, html] = [partOf(mail, 'text/plain'), partOf(mail, 'text/html')];
        expect(wordsIn(headerOf(mail, 'From'))).toBe('<b>Owl</b> & "Co" 🦉 <pierhead@service.example>');
        expect(headerOf(mail, 'Reply-To')).toBe('help+me@owl.example');
        expect(text).toContain('<b>Owl</b> & "Co" 🦉 sends this mail because ');
        expect(text).toContain('Questions? Ask <b>Owl</b> & "Co" 🦉:\nhelp+me@owl.example');
        expect(text).toContain(`seller=${shop.license.tenantId}`);
        expect(html).toContain('&lt;b&gt;Owl&lt;/b&gt;');
        expect(html).toMatch(/<a class="button" href="[^"]*" style="[^"]*;background:#ffe600;color:#000000">/);
        expect(html).not.toMatch(/<img|<b>Owl|src=|url\(/);
      }
    });

    it('may be changed by those who may change plans, who are recorded, and is exported', async () => {
      const shop = await branded();
      const { tenantId } = shop.license;
      const owner = { cookie: shop.license.cookie };
      for (const role of ['support', 'viewer'] as const) {
        const { cookie } = await world.given.member(owner, role);
        const { token } = expectStatus(await world.api.as({ cookie }).post('/auth/token'), 200).body;
        const asMember = world.api.as({ token });
        expect((await asMember.get('/branding')).body.displayName).toBe(BRAND.displayName);
        expect((await asMember.patch('/branding', { displayName: 'Mine' })).status).toBe(403);
      }
      const { items } = expectStatus(await world.api.as(owner).get('/audit?subjectType=branding'), 200).body;
      expect(items).toMatchObject([
        { action: 'branding.updated', after: { displayName: BRAND.displayName, logoSha256: sha256 } },
      ]);
      const entries = await unzipped(await downloaded(world, owner, await exported(world, owner)));
      expect(rowsOf(entries, 'branding')).toMatchObject([
        { displayName: BRAND.displayName, accentColor: '#ffe600', logoSha256: sha256, logo: BRAND.logo },
      ]);
      await world.app.get(DataSource).query('delete from license where tenant_id = $1', [tenantId]);
      await world.app.get(DataSource).query('delete from tenant where id = $1', [tenantId]);
      const rows = await world.app.get(DataSource).query('select 1 from branding where tenant_id = $1', [tenantId]);
      expect(rows).toEqual([]);
    });
  });

  inChromium('is walked through in a real browser on a phone, without scripts', async () => {
    const shop = await Shop.open(world, { maxActivations: 1 });
    const email = await emailOf(shop);
    await shop.activate(randomUUID(), { deviceInfo: 'Old laptop' });
    const context = await (
      await theChromium()
    ).newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 640 },
    });
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`${world.url}/buyer`);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await page.goto(`${world.url}/buyer/enter?token=${await browser.linkOf(email)}`);
      await page.getByRole('button', { name: 'See my licenses' }).click();
      await page.getByText('1 of 1 device').waitFor();
      const width = (await page.locator('.license').boundingBox())?.width ?? Infinity;
      expect(width).toBeLessThanOrEqual(360);
      for (const button of await page.getByRole('button').all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await page.getByRole('listitem').filter({ hasText: 'Old laptop' }).getByRole('button').click();
      await page.getByText('0 of 1 device').waitFor();
      expect(await shop.used()).toBe(0);
      await page.getByText('Code ends with').click();
      await page.getByRole('button', { name: 'Get a new code' }).click();
      const code = codeIn((await page.locator('.code').textContent()) ?? '');
      expect((await shop.activate(randomUUID(), { code })).body.reason).toBe('active');
      await page.getByRole('link', { name: 'Back to my licenses' }).click();
      await page.getByText('1 of 1 device').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('E-mail address').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
