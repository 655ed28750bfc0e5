import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, GiftsService, MailDeliveryWorker, startWorld, type World } from '../support/app.js';
import { HOUR, MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { codeIn, codeOf, everything } from './delivery/codes.js';

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts that keeps one cookie. */
class Visitor {
  cookie: string | null = null;

  constructor(private readonly world: World) {}

  open(url: string): Promise<Page> {
    return this.ask(url, {});
  }

  take(url: string, email = '', headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.ask(url, { method: 'POST', body: new URLSearchParams({ email }), headers });
  }

  private async ask(url: string, { headers, ...rest }: RequestInit): Promise<Page> {
    const cookie: Record<string, string> = this.cookie === null ? {} : { cookie: this.cookie };
    const path = new URL(url).pathname;
    const response = await fetch(this.world.url + path, {
      redirect: 'manual',
      ...rest,
      headers: { ...cookie, ...(headers as Record<string, string>) },
    });
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

const hasCode = ({ text }: Page): boolean => /class="code"/.test(text);

describe('a gift link', () => {
  let smtp: SmtpServer;
  let world: World;
  let other: World;
  let tenant: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    other = await startWorld({ with: world });
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
    planId = await world.given.plan(tenant, extensionId);
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const gift = async (wish: object = {}): Promise<{ readonly url: string; readonly id: string }> => {
    const body = { planId, count: 1, delivery: 'gift', ...wish };
    const [item] = expectStatus(await my('POST', '/licenses/batch', body), 201).body.items;
    expect(item.code).toBeNull();
    return { url: item.giftUrl, id: item.licenseId };
  };
  const activate = async (code: string): Promise<string> =>
    (await world.api.post('/licensing/activate', { code, extensionId, fingerprint: randomUUID() })).body.reason;

  it('gives nothing to who only opens it, in any way a preview does', async () => {
    const { url, id } = await gift();
    expect(url).toMatch(/\/gift\/[\w-]{43}$/);
    const visitor = new Visitor(world);
    for (let time = 0; time < 3; time += 1) {
      const page = await visitor.open(url);
      expect(page).toMatchObject({ status: 200 });
      expect(hasCode(page)).toBe(false);
    }
    const { headers } = await visitor.open(url);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const head = await fetch(world.url + new URL(url).pathname, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('set-cookie')).toMatch(/^gift_browser=[\w-]{43};.*Path=\/gift;.*HttpOnly;.*SameSite=Lax/);
    expect((await my('GET', `/licenses/${id}`)).body).toMatchObject({ buyerEmail: null, seats: { used: 0 } });
  });

  it('gives the code once, and shows it again to the same browser for a quarter of an hour', async () => {
    const { url } = await gift();
    const visitor = new Visitor(world);
    await visitor.open(url);
    const code = codeIn((await visitor.take(url)).text);
    expect(await activate(code)).toBe('active');
    expect(codeIn((await visitor.open(url)).text)).toBe(code);
    expect(codeIn((await visitor.take(url)).text)).toBe(code);
    expect(await new Visitor(world).open(url)).toMatchObject({ status: 410 });
    expect(await new Visitor(world).take(url)).toMatchObject({ status: 410 });
    await world.forward(15 * MINUTE);
    const late = await visitor.open(url);
    expect(late).toMatchObject({ status: 410 });
    expect(hasCode(late)).toBe(false);
    await world.app.get(GiftsService).forgetCodes();
    const sealed = await world.app.get(DataSource).query('select from license_gift where sealed is not null');
    expect(sealed).toHaveLength(0);
  });

  it('gives the code to a browser that keeps no cookies', async () => {
    const { url } = await gift();
    expect(await activate(codeIn((await new Visitor(world).take(url)).text))).toBe('active');
  });

  it('gives one code to two hundred who ask at the same time', async () => {
    const { url } = await gift();
    const pages = await Promise.all(
      Array.from({ length: 200 }, (_, at) => new Visitor(at % 2 === 0 ? world : other).take(url)),
    );
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
    const page = pages.find((one) => hasCode(one));
    expect(await activate(codeIn(page?.text ?? ''))).toBe('active');
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 410]));
  });

  it('gives the license to an address, which gets the code by mail and can use the buyer’s page', async () => {
    const { url, id } = await gift();
    const email = `${randomUUID()}@buyer.example`;
    const code = codeIn((await new Visitor(world).take(url, ` ${email.toUpperCase()} `)).text);
    await world.app.get(MailDeliveryWorker).tick();
    expect(codeOf(smtp.to(email)[0])).toBe(code);
    expect((await my('GET', `/licenses/${id}`)).body).toMatchObject({ buyerEmail: email, delivery: 'sent' });
  });

  it('does not ask for the address of who owns it already, and does not take another', async () => {
    const email = `${randomUUID()}@buyer.example`;
    const { url, id } = await gift({ count: undefined, emails: [email] });
    const visitor = new Visitor(world);
    expect((await visitor.open(url)).text).not.toContain('name="email"');
    expect(hasCode(await visitor.take(url, 'thief@example.com'))).toBe(true);
    expect((await my('GET', `/licenses/${id}`)).body.buyerEmail).toBe(email);
  });

  it('is not used by a mistyped address, nor by the form of another site', async () => {
    const { url } = await gift();
    expect(await new Visitor(world).take(url, 'nobody')).toMatchObject({ status: 400 });
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect(await new Visitor(world).take(url, '', foreign)).toMatchObject({ status: 403 });
    expect(hasCode(await new Visitor(world).take(url))).toBe(true);
  });

  it.each([
    ['it was never made', async () => new URL(`/gift/${'a'.repeat(43)}`, world.url).href, 404],
    ['it is no token', async () => new URL('/gift/x', world.url).href, 404],
    [
      'its license is revoked',
      async () => {
        const { url, id } = await gift();
        expectStatus(await my('POST', `/licenses/${id}/revoke`), 200);
        return url;
      },
      410,
    ],
    [
      'its license is suspended',
      async () => {
        const { url, id } = await gift();
        expectStatus(await my('POST', `/licenses/${id}/suspend`), 200);
        return url;
      },
      409,
    ],
    [
      'its end has come',
      async () => {
        const { url } = await gift({ giftExpiresAt: new Date(world.clock.now().getTime() + HOUR).toISOString() });
        await world.forward(HOUR);
        return url;
      },
      410,
    ],
    [
      'its license has ended',
      async () => {
        const { url } = await gift({ expiresAt: new Date(world.clock.now().getTime() + HOUR).toISOString() });
        await world.forward(HOUR);
        return url;
      },
      410,
    ],
    [
      'its seller has replaced the code',
      async () => {
        const { url, id } = await gift();
        expectStatus(await my('POST', `/licenses/${id}/rotate`), 200);
        return url;
      },
      404,
    ],
    [
      'its license is deleted',
      async () => {
        const { url, id } = await gift();
        expectStatus(await my('POST', `/licenses/${id}/revoke`), 200);
        expectStatus(await my('DELETE', `/licenses/${id}`), 204);
        return url;
      },
      404,
    ],
  ])('gives nothing when %s', async (_, made, status) => {
    const url = await made();
    const pages = [await new Visitor(world).open(url), await new Visitor(world).take(url)];
    expect(pages).toMatchObject([{ status }, { status }]);
    expect(pages.some(hasCode)).toBe(false);
  });

  it('and its code are nowhere in clear', async () => {
    const { url, id } = await gift();
    const token = url.slice(-43);
    const visitor = new Visitor(world);
    await visitor.open(url);
    const code = codeIn((await visitor.take(url)).text);
    const timeline = (await my('GET', `/extensions/${extensionId}/events`)).text;
    expect(timeline).toContain('license_redeemed');
    const audit = (await world.api.as({ cookie: tenant.cookie }).get('/audit?limit=100')).text;
    const kept = [await everything(world), world.log.join('\n'), timeline, audit];
    for (const secret of [token, code, visitor.cookie?.split('=')[1] ?? ''])
      expect(kept.filter((text) => text.includes(secret))).toEqual([]);
    expect((await my('GET', `/licenses/${id}`)).body.codeHint).toBe(code.slice(-5));
  });

  it('comes again with a repeated request, and in a column of the CSV', async () => {
    const body = { planId, count: 2, delivery: 'gift' };
    const headers = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await world.api.as(tenant).post('/licenses/batch', body, { headers }), 201).body;
    expect(expectStatus(await world.api.as(tenant).post('/licenses/batch', body, { headers }), 201).body).toEqual(
      first,
    );
    const csv = { headers: { ...headers, accept: 'text/csv' } };
    const { text } = expectStatus(await world.api.as(tenant).post('/licenses/batch', body, csv), 201);
    expect(text.split('\r\n')[1]).toBe(`,${first.items[0].giftUrl},,${first.items[0].licenseId}`);
  });

  it('is lost by nobody when the process dies while it is used', async () => {
    const { url } = await gift();
    const visitor = new Visitor(world);
    await visitor.open(url);
    const database = world.app.get(DataSource);
    await database.query(
      `create function dies() returns trigger language plpgsql as 'begin raise exception ''the process died''; end'`,
    );
    await database.query('create trigger dies before insert on event for each row execute function dies()');
    expect((await visitor.take(url)).status).toBe(500);
    await database.query('drop function dies cascade');
    expect(hasCode(await visitor.take(url))).toBe(true);
  });
});
