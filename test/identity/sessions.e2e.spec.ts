import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import type { Tenant } from '../support/given.js';

const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const attributesOf = ({ headers }: Answer): readonly string[] =>
  (headers.get('set-cookie') ?? '')
    .split('; ')
    .slice(1)
    .filter((attribute) => !attribute.startsWith('Expires='))
    .toSorted();

describe('a session', () => {
  let world: World;
  let outside: World;
  beforeAll(async () => {
    world = await startWorld();
    outside = await startWorld({ with: world, env: { PUBLIC_URL: 'https://pierhead.example' } });
  });
  afterAll(async () => {
    await outside.close();
    await world.close();
  });

  const logIn = async ({ email, password }: Tenant, at = world): Promise<Answer> =>
    at.api.post('/auth/login', { email, password });
  const me = (cookie: string): Promise<Answer> => world.api.as({ cookie }).get('/auth/me');
  const unauthenticated = { status: 401, body: { code: 'unauthenticated' } };

  it('uses a cookie that is HttpOnly and SameSite=Lax', async () => {
    const answer = await logIn(await world.given.tenant());
    expect(cookieOf(answer)).toMatch(/^svc_session=[A-Za-z0-9_-]{43}$/);
    expect(attributesOf(answer)).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax']);
  });

  it('uses a Secure cookie when PUBLIC_URL is not local', async () => {
    const answer = await logIn(await world.given.tenant(), outside);
    expect(attributesOf(answer)).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  it('uses a Secure cookie when the service listens on all addresses without PUBLIC_URL', async () => {
    const open = await startWorld({ with: world, env: { HOST: '0.0.0.0' } });
    expect(attributesOf(await logIn(await world.given.tenant(), open))).toContain('Secure');
    await open.close();
  });

  it('is new at each log-in, and stored only as a hash', async () => {
    const tenant = await world.given.tenant();
    const cookies = [tenant.cookie, cookieOf(await logIn(tenant)), cookieOf(await logIn(tenant))];
    expect(new Set(cookies).size).toBe(3);
    const secret = tenant.cookie.replace('svc_session=', '');
    const hash = createHash('sha256').update(secret).digest('hex');
    const rows = await world.app.get(DataSource).query('select * from session where secret_hash = $1', [hash]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('lasts fourteen days after its last use, and its cookie is set again when it is extended', async () => {
    const { cookie } = await world.given.tenant();
    world.clock.forward(13 * DAY);
    const prolonged = await me(cookie);
    expect(prolonged.status).toBe(200);
    expect(cookieOf(prolonged)).toBe(cookie);
    expect(attributesOf(prolonged)).toContain('Max-Age=1209600');
    world.clock.forward(13 * DAY);
    expect((await me(cookie)).status).toBe(200);
    world.clock.forward(14 * DAY);
    expect(await me(cookie)).toMatchObject(unauthenticated);
    expect((await me(cookie)).headers.get('www-authenticate')).toMatch(/^Session /);
  });

  it('expires after exactly fourteen days without use', async () => {
    const { cookie } = await world.given.tenant();
    world.clock.forward(14 * DAY - MINUTE);
    const another = await world.given.tenant();
    world.clock.forward(MINUTE);
    expect(await me(cookie)).toMatchObject(unauthenticated);
    expect((await me(another.cookie)).status).toBe(200);
  });

  it('ends 90 days after the log-in, however much it is used, and its cookie with it', async () => {
    const { cookie } = await world.given.tenant();
    for (let used = 0; used < 8; used += 1) {
      world.clock.forward(11 * DAY);
      expect((await me(cookie)).status).toBe(200);
    }
    const [{ createdAt, expiresAt }] = (await world.api.as({ cookie }).get('/auth/sessions')).body.items;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * DAY);
    world.clock.forward(2 * DAY - 1);
    expect(attributesOf(await me(cookie))).toEqual([]);
    world.clock.forward(1);
    expect(await me(cookie)).toMatchObject(unauthenticated);
  });

  it('is not extended at every use', async () => {
    const { cookie } = await world.given.tenant();
    world.clock.forward(12 * HOUR);
    expect((await me(cookie)).headers.get('set-cookie')).toBeNull();
  });

  it('is deleted after it has expired, when its user logs in again', async () => {
    const tenant = await world.given.tenant();
    world.clock.forward(15 * DAY);
    await logIn(tenant);
    const rows = await world.app
      .get(DataSource)
      .query('select s.id from session s join tenant_user u on u.id = s.user_id where u.email = $1', [tenant.email]);
    expect(rows).toHaveLength(1);
  });

  it('ends at log-out with its cookie, while other sessions of the user continue', async () => {
    const tenant = await world.given.tenant();
    const other = cookieOf(await logIn(tenant));
    const answer = await world.api.as(tenant).post('/auth/logout');
    expect(answer.status).toBe(204);
    expect(cookieOf(answer)).toBe('svc_session=');
    expect(answer.headers.get('set-cookie')).toContain('Expires=Thu, 01 Jan 1970');
    expect(await me(tenant.cookie)).toMatchObject(unauthenticated);
    expect((await me(other)).status).toBe(200);
  });

  it.each([
    ['no cookie', () => ''],
    ['an empty one', () => 'svc_session='],
    ['one of another name', (cookie: string) => `x${cookie}`],
    ['one cut short', (cookie: string) => cookie.slice(0, -1)],
    ['one with more to it', (cookie: string) => `${cookie}A`],
    ['one that nobody was given', () => `svc_session=${'A'.repeat(43)}`],
    ['one with quotes', () => `svc_session="' or 1=1 --"`],
  ])('is not authenticated by %s', async (_, changed) => {
    const { cookie } = await world.given.tenant();
    expect(await world.api.get('/auth/me', { headers: { cookie: changed(cookie) } })).toMatchObject(unauthenticated);
  });

  it('is found among other cookies', async () => {
    const { cookie } = await world.given.tenant();
    const headers = { cookie: `theme=dark; ${cookie}; lang=en` };
    expect((await world.api.get('/auth/me', { headers })).status).toBe(200);
  });

  describe('among the sessions of its user', () => {
    const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
    const SAFARI =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
    const from = (userAgent: string, country: string) => ({
      headers: { 'user-agent': userAgent, 'cf-ipcountry': country },
    });
    const list = async (cookie: string) =>
      (await world.api.as({ cookie }).get('/auth/sessions')).body.items as readonly { readonly id: string }[];
    let proxied: World;
    beforeAll(async () => {
      proxied = await startWorld({ with: world, env: { TRUST_PROXY: '1', COUNTRY_HEADER: 'cf-ipcountry' } });
    });
    afterAll(() => proxied.close());

    it('shows browser, system and country of the log-in, then of the last use to the minute', async () => {
      const { email, password } = await world.given.tenant();
      const cookie = cookieOf(await proxied.api.post('/auth/login', { email, password }, from(FIREFOX, 'CH')));
      const at = world.clock.now().toISOString();
      const [shown, first] = await list(cookie);
      const login = { current: true, device: 'Firefox 130 on Linux', country: 'CH', createdAt: at, lastSeenAt: at };
      expect(shown).toMatchObject(login);
      expect(first).toMatchObject({ current: false, device: null, country: null });
      world.clock.forward(MINUTE - 1);
      await proxied.api.as({ cookie }).get('/auth/me', from(SAFARI, 'SE'));
      expect((await list(cookie))[0]).toEqual(shown);
      world.clock.forward(1);
      await proxied.api.as({ cookie }).get('/auth/me', from(SAFARI, 'SE'));
      const used = { device: 'Safari 18 on macOS', country: 'SE', lastSeenAt: world.clock.now().toISOString() };
      expect((await list(cookie))[0]).toMatchObject({ ...login, ...used });
    });

    it('is written at most once a minute, and stores neither address nor User-Agent', async () => {
      const { cookie, tenantId } = await world.given.tenant();
      const row = async (): Promise<Readonly<Record<string, unknown>>> =>
        (
          await world.app.get(DataSource).query('select *, xmin::text from session where tenant_id = $1', [tenantId])
        )[0];
      const before = await row();
      await proxied.api.as({ cookie }).get('/auth/me', from(FIREFOX, 'CH'));
      expect(await row()).toEqual(before);
      world.clock.forward(MINUTE);
      await proxied.api.as({ cookie }).get('/auth/me', from(FIREFOX, 'CH'));
      expect(await row()).toMatchObject({ device: 'Firefox 130 on Linux' });
      expect(JSON.stringify(await row())).not.toMatch(/Mozilla|127\.0\.0\.1/);
    });

    it('can be ended by any other, at once, with the tokens it was exchanged for', async () => {
      const tenant = await world.given.tenant();
      const other = cookieOf(await logIn(tenant));
      const { token } = (await world.api.as({ cookie: other }).post('/auth/token')).body;
      const [newest] = await list(other);
      const end = () => world.api.as({ cookie: tenant.cookie }).delete(`/auth/sessions/${newest?.id}`);
      expect((await end()).status).toBe(204);
      expect(await me(other)).toMatchObject(unauthenticated);
      expect(await world.api.as({ token }).get('/extensions')).toMatchObject(unauthenticated);
      expect(await end()).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
      expect((await me(tenant.cookie)).status).toBe(200);
    });

    it('stays when it ends all others and their tokens, as do those of another user', async () => {
      const tenant = await world.given.tenant();
      const stranger = await world.given.tenant();
      const others = [cookieOf(await logIn(tenant)), cookieOf(await logIn(tenant))];
      const exchanged = await Promise.all(
        [tenant.cookie, ...others].map((cookie) => world.api.as({ cookie }).post('/auth/token')),
      );
      expect((await world.api.as({ cookie: tenant.cookie }).delete('/auth/sessions')).status).toBe(204);
      for (const cookie of others) expect(await me(cookie)).toMatchObject(unauthenticated);
      const tokens: readonly string[] = [...exchanged.map(({ body }) => body.token), tenant.token];
      const answers = await Promise.all(tokens.map((token) => world.api.as({ token }).get('/extensions')));
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 200]);
      expect(await list(tenant.cookie)).toMatchObject([{ current: true }]);
      expect((await me(stranger.cookie)).status).toBe(200);
    });

    it('is not listed once it has expired', async () => {
      const tenant = await world.given.tenant();
      world.clock.forward(10 * DAY);
      const later = cookieOf(await logIn(tenant));
      world.clock.forward(4 * DAY - 1);
      expect(await list(later)).toHaveLength(2);
      world.clock.forward(1);
      expect(await list(later)).toHaveLength(1);
    });
  });

  describe('and a request of another origin', () => {
    let tenant: Tenant;
    beforeAll(async () => {
      tenant = await world.given.tenant();
    });
    const exchange = (headers: Readonly<Record<string, string>>, at = world): Promise<Answer> =>
      at.api.as({ cookie: tenant.cookie }).post('/auth/token', undefined, { headers });

    it.each<Readonly<Record<string, string>>>([
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-origin' },
    ])('refuses changes: %j', async (headers) => {
      expect(await exchange(headers)).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } });
      const credentials = await world.api.as({ cookie: tenant.cookie }).delete('/credentials/x', { headers });
      expect(credentials).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } });
    });

    it.each(['http://pierhead.example', 'https://pierhead.example:8443', 'https://pierhead.example.evil.example'])(
      'is refused from %s, where PUBLIC_URL is https://pierhead.example',
      async (origin) => {
        expect(await exchange({ origin }, outside)).toMatchObject({
          status: 403,
          body: { code: 'cross_origin_refused' },
        });
      },
    );

    it('refuses changes from the host of the request when PUBLIC_URL names another', async () => {
      const answer = await exchange({ origin: outside.url }, outside);
      expect(answer).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } });
      expect(answer.body.detail).toContain('https://pierhead.example');
    });

    it('allows reads, whose answers browsers do not show to other origins', async () => {
      const answer = await world.api
        .as({ cookie: tenant.cookie })
        .get('/auth/me', { headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });

    it("allows changes from the service's own origin", async () => {
      expect((await exchange({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
      expect((await exchange({ 'sec-fetch-site': 'none' })).status).toBe(200);
      expect((await exchange({ origin: 'https://pierhead.example' }, outside)).status).toBe(200);
    });
  });
});
