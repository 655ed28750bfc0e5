import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Browser, type Page } from './browser.js';

const NAME = 'pierhead on anns-laptop';
const PUBLIC = 'http://127.0.0.1:0';
const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const problem = (status: number, code: string) => ({ status, body: { code } });

interface Begun {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  readonly verificationUrlComplete: string;
}

describe('a log-in from a terminal', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const begin = async (at = world): Promise<Begun> =>
    expectStatus(await at.api.post('/auth/cli', { name: NAME }), 201).body;
  const poll = ({ deviceCode }: Begun, at = world): Promise<Answer> => at.api.post('/auth/cli/token', { deviceCode });
  const browserAt = (at = world): Browser => new Browser({ [PUBLIC]: at.url });
  const browserOf = ({ cookie }: Pick<Tenant, 'cookie'>, at = world): Browser => {
    const browser = browserAt(at);
    browser.setCookie(at.url, 'svc_session', cookie.replace('svc_session=', ''));
    return browser;
  };
  const decide = ({ userCode, verificationUrl }: Begun, browser: Browser, decision = 'approve'): Promise<Page> =>
    browser.open(verificationUrl, { userCode, decision });
  const sessionsOf = async (
    cookie: string,
  ): Promise<readonly { readonly id: string; readonly name: string | null }[]> =>
    (await world.api.as({ cookie }).get('/auth/sessions')).body.items;
  const signIn = ({ userCode, verificationUrl }: Begun, browser: Browser, form: object): Promise<Page> =>
    browser.open(`${verificationUrl}/sign-in`, { userCode, ...form });

  it('waits until a person who is signed in compares the code and approves, and is a session of its own', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    expect(begun).toEqual({
      deviceCode: expect.stringMatching(/^[\w-]{43}$/),
      userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verificationUrl: `${PUBLIC}/cli-login`,
      verificationUrlComplete: `${PUBLIC}/cli-login?code=${begun.userCode}`,
      expiresIn: 600,
      interval: 3,
    });
    expect(await poll(begun)).toMatchObject(problem(409, 'cli_login_pending'));

    const browser = browserOf(tenant);
    const page = await browser.open(begun.verificationUrlComplete);
    for (const shown of [begun.userCode, NAME, tenant.email]) expect(page.text).toContain(shown);
    expect(page.text).not.toContain(begun.deviceCode);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await poll(begun)).toMatchObject(problem(409, 'cli_login_pending'));

    expect(await decide(begun, browser)).toMatchObject({ status: 200, text: expect.stringContaining('Approved') });
    const finished = expectStatus(await poll(begun), 200);
    expect(finished.body).toMatchObject({ user: { email: tenant.email }, tenant: { id: tenant.tenantId } });
    const cookie = cookieOf(finished);
    expect(cookie).not.toBe(tenant.cookie);
    expect(await sessionsOf(cookie)).toMatchObject([
      { current: true, name: NAME },
      { current: false, name: null },
    ]);
    expect(await poll(begun)).toMatchObject(problem(410, 'cli_login_expired'));

    const [mine] = await sessionsOf(cookie);
    expectStatus(await world.api.as(tenant).delete(`/auth/sessions/${mine?.id}`), 204);
    expect((await world.api.as({ cookie }).get('/auth/me')).status).toBe(401);
  });

  it('keeps its name when the session is used', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    await decide(begun, browserOf(tenant));
    const cookie = cookieOf(await poll(begun));
    await world.forward(2 * MINUTE);
    expect((await world.api.as({ cookie }).get('/auth/me')).status).toBe(200);
    expect(await sessionsOf(cookie)).toMatchObject([{ name: NAME }, { name: null }]);
  });

  it('lets the person sign in on the page first', async () => {
    const { email, password } = await world.given.tenant();
    const begun = await begin();
    const browser = browserAt();
    const asked = await browser.open(begun.verificationUrlComplete);
    expect(asked.text).toContain('type="password"');
    expect(asked.text).not.toContain(NAME);

    const wrong = await signIn(begun, browser, { email, password: 'a wrong password' });
    expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining(`value="${email}"`) });
    expect(wrong.text).toContain('role="alert"');
    expect(wrong.text).not.toContain('a wrong password');

    const signedIn = await signIn(begun, browser, { email, password, code: '' });
    expect(signedIn.status).toBe(303);
    expect(Browser.target(signedIn)).toContain(`/cli-login?code=${begun.userCode}`);
    expect((await browser.open(begun.verificationUrlComplete)).text).toContain(NAME);
    await decide(begun, browser);
    expectStatus(await poll(begun), 200);
  });

  it('asks for the second factor on the page, and is as fresh as the session that approved', async () => {
    const tenant = await world.given.tenant();
    const api = world.api.as(tenant);
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password: tenant.password }), 201).body;
    const codeNow = (): Promise<string> => generate({ secret, epoch: world.clock.now().getTime() / 1000 });
    expectStatus(await api.post('/auth/second-factor/confirm', { code: await codeNow() }), 200);
    await world.forward(MINUTE);

    const begun = await begin();
    const browser = browserAt();
    const { email, password } = tenant;
    expect(await signIn(begun, browser, { email, password })).toMatchObject({ status: 403 });
    expect(await signIn(begun, browser, { email, password, code: '000000' })).toMatchObject({ status: 403 });
    expect(await signIn(begun, browser, { email, password, code: await codeNow() })).toMatchObject({ status: 303 });
    await decide(begun, browser);
    const cookie = cookieOf(expectStatus(await poll(begun), 200));
    const token = { name: 'CI', scopes: ['*'] };
    expectStatus(await world.api.as({ cookie }).post('/access-tokens', token), 201);
    await world.forward(16 * MINUTE);
    expect(await world.api.as({ cookie }).post('/access-tokens', token)).toMatchObject(
      problem(403, 'second_factor_required'),
    );
  });

  it('lets the person sign in through the identity provider alone where passwords are off, which leads back to the code', async () => {
    const env = {
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'pierhead',
      OIDC_NAME: 'Owl Login',
      PASSWORD_LOGIN: 'off',
    };
    const at = await startWorld({ with: world, env: { ...env, OIDC_CLIENT_SECRET: 'a secret of the client' } });
    const begun = await begin(at);
    const page = await browserAt(at).open(begun.verificationUrlComplete);
    expect(page.text).toContain('Sign in with Owl Login');
    expect(page.text).not.toContain('type="password"');
    const [, address = ''] = /<a href="([^"]+auth\/oidc[^"]+)"/.exec(page.text) ?? [];
    const { pathname, searchParams } = new URL(address.replaceAll('&amp;', '&'), at.url);
    expect(pathname).toBe('/api/v1/auth/oidc');
    expect(searchParams.get('returnTo')).toBe(`/cli-login?code=${begun.userCode}`);
    await at.close();
  });

  it('gives nothing when the person denies, and only the first decision counts', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    const browser = browserOf(tenant);
    expect(await decide(begun, browser, 'deny')).toMatchObject({
      status: 200,
      text: expect.stringContaining('Denied'),
    });
    expect(await poll(begun)).toMatchObject(problem(403, 'cli_login_denied'));
    expect((await decide(begun, browser)).status).toBe(410);
    expect(await poll(begun)).toMatchObject(problem(403, 'cli_login_denied'));
  });

  it('cannot be approved without a session, by another site, or with another word', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    expect(await decide(begun, browserAt())).toMatchObject({ status: 303 });
    const { userCode } = begun;
    const send = (headers: Readonly<Record<string, string>>, decision = 'approve'): Promise<Response> =>
      fetch(`${world.url}/cli-login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: tenant.cookie, ...headers },
        body: new URLSearchParams({ userCode, decision }),
      });
    expect((await send({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({}, 'perhaps')).status).toBe(400);
    expect(await poll(begun)).toMatchObject(problem(409, 'cli_login_pending'));
    expect((await send({ origin: PUBLIC, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('ends after 10 minutes, approved or not', async () => {
    const tenant = await world.given.tenant();
    const browser = browserOf(tenant);
    const waiting = await begin();
    const approved = await begin();
    await decide(approved, browser);
    await world.forward(10 * MINUTE);
    expect((await decide(waiting, browser)).status).toBe(410);
    for (const begun of [waiting, approved]) expect(await poll(begun)).toMatchObject(problem(410, 'cli_login_expired'));
    await begin();
    const rows = await world.app
      .get(DataSource)
      .query('select * from cli_login where expires_at <= $1', [world.clock.now()]);
    expect(rows).toEqual([]);
  });

  it('ends with the session that approved it', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    await decide(begun, browserOf(tenant));
    expectStatus(await world.api.as(tenant).post('/auth/logout'), 204);
    expect(await poll(begun)).toMatchObject(problem(410, 'cli_login_expired'));
  });

  it('gives one session to ten polls at once', async () => {
    const tenant = await world.given.tenant();
    const begun = await begin();
    await decide(begun, browserOf(tenant));
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(begun)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(410)]);
    expect(await sessionsOf(tenant.cookie)).toHaveLength(2);
  });

  it('takes one of ten decisions at once', async () => {
    const begun = await begin();
    const browser = browserOf(await world.given.tenant());
    const pages = await Promise.all(
      Array.from({ length: 10 }, (_, at) => decide(begun, browser, at % 2 === 0 ? 'approve' : 'deny')),
    );
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(410)]);
  });

  it('stores codes only as digests', async () => {
    const begun = await begin();
    const rows = await world.app.get(DataSource).query('select * from cli_login');
    expect(rows.length).toBeGreaterThanOrEqual(1);
    for (const secret of [begun.deviceCode, begun.userCode, begun.userCode.replace('-', '')])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it.each(['', 'no-code', 'ADJB-MJHT', '<b>WDJB</b>'])('asks again for what is no code: %j', async (code) => {
    const browser = browserOf(await world.given.tenant());
    const page = await browser.open(`${PUBLIC}/cli-login?code=${encodeURIComponent(code)}`);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('name="code"') });
    expect(page.text).not.toContain('<b>');
    expect(await world.api.post('/auth/cli/token', { deviceCode: code === '' ? 'none' : code })).toMatchObject(
      problem(410, 'cli_login_expired'),
    );
  });

  it('takes a code however the person typed it', async () => {
    const begun = await begin();
    const browser = browserOf(await world.given.tenant());
    const typed = begun.userCode.toLowerCase().replace('-', ' ');
    expect((await browser.open(`${PUBLIC}/cli-login?code=${encodeURIComponent(typed)}`)).text).toContain(NAME);
  });

  it('is recorded for the tenants of the person: who approved or denied, and the session', async () => {
    const tenant = await world.given.tenant();
    const browser = browserOf(tenant);
    const [approved, denied] = [await begin(), await begin()];
    await decide(approved, browser);
    expectStatus(await poll(approved), 200);
    await decide(denied, browser, 'deny');
    const { items } = expectStatus(await world.api.as(tenant).get('/audit'), 200).body;
    const seen = items.map(({ action, actor, subject }: Record<string, { readonly name?: string }>) => [
      action,
      actor?.name,
      subject?.name,
    ]);
    expect(seen.slice(0, 3)).toEqual([
      ['user.cli_login_denied', tenant.email, tenant.email],
      ['session.begun', tenant.email, NAME],
      ['user.cli_login_approved', tenant.email, tenant.email],
    ]);
  });

  it('cannot be found by trying codes: a person has 20 tries in 10 minutes', async () => {
    const at = await startWorld({ with: world, env: { RATE_LIMITS: 'on' } });
    const browser = browserOf(await world.given.tenant(), at);
    const statuses: number[] = [];
    for (let time = 0; time < 21; time += 1)
      statuses.push((await browser.open(`${PUBLIC}/cli-login?code=BCDF-GHJK`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(410), 429]);
    await at.close();
  });

  it('cannot be begun or polled without end from one address', async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_LOGIN_PER_ADDRESS: '2', RATE_LIMIT_CLI_POLLS_PER_ADDRESS: '3' };
    const at = await startWorld({ with: world, env });
    const begun = await begin(at);
    await begin(at);
    expect((await at.api.post('/auth/cli', {})).status).toBe(429);
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await poll(begun, at)).status);
    expect(statuses).toEqual([409, 409, 409, 429]);
    await at.close();
  });
});
