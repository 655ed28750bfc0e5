import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startOpenIdProvider, type Forgery, type OpenIdProvider, type Person } from '../support/openid-provider.js';
import { Browser, type Page } from './browser.js';

/** The address that a service under test believes to be its own. */
const PUBLIC_URL = 'http://127.0.0.1:0';
const CALLBACK = `${PUBLIC_URL}/api/v1/auth/oidc/callback`;
const BEGIN = `${PUBLIC_URL}/api/v1/auth/oidc`;

describe('sign-in through an OpenID provider', () => {
  let provider: OpenIdProvider;
  let world: World;
  const others: World[] = [];
  beforeAll(async () => {
    provider = await startOpenIdProvider(CALLBACK);
    world = await startWorld({ env: { ...provider.env, OIDC_NAME: 'Owl Login', OIDC_SIGNUP: 'create' } });
  });
  afterEach(async () => {
    provider.forge();
    for (const other of others.splice(0)) await other.close();
  });
  afterAll(async () => {
    await provider.close();
    await world.close();
  });

  /** Another service on the same database, with settings of its own. */
  const another = async (env: Readonly<Record<string, string>>): Promise<World> => {
    const other = await startWorld({ with: world, env: { ...provider.env, ...env } });
    others.push(other);
    return other;
  };
  const browserAt = (at = world): Browser => new Browser({ [PUBLIC_URL]: at.url });
  /** A person with a verified address whom the provider knows. */
  const person = (about: Partial<Person> = {}): Person => {
    const sub = randomUUID();
    const known = { sub, email: `${sub}@author.example`, email_verified: true, ...about };
    provider.know(known);
    return known;
  };
  /** Goes through the provider's pages, and stops before the callback. @returns the callback's address */
  const authenticate = async (browser: Browser, { sub }: Person, begin = BEGIN): Promise<string> => {
    let page = await browser.open(begin);
    for (;;) {
      if (page.status === 200) {
        const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
        const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page.text) ?? [];
        page = await browser.open(action, { prompt, login: sub, password: 'any' });
      }
      const next = Browser.target(page);
      if (next.startsWith(PUBLIC_URL)) return next;
      page = await browser.open(next);
    }
  };
  const signIn = async (who: Person, browser = browserAt(), begin = BEGIN): Promise<Page> =>
    browser.open(await authenticate(browser, who, begin));
  const cookieOf = ({ headers }: Page): string =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('svc_session='))
      ?.split(';')[0] ?? '';
  const me = async (page: Page, at = world): Promise<Answer> => at.api.as({ cookie: cookieOf(page) }).get('/auth/me');
  const code = ({ text }: Page): string | undefined => /<code>(\w+)<\/code>/.exec(text)?.[1];
  /** What a refused sign-in shows: a page without a session. */
  const outcome = (page: Page): unknown => [page.status, code(page), cookieOf(page)];
  const usersOf = (email: string): Promise<readonly { id: string; email_verified_at: Date | null }[]> =>
    world.app.get(DataSource).query('select id, email_verified_at from tenant_user where email = $1', [email]);

  it('is named to the log-in page, beside the password and sign-up', async () => {
    const methods = async (at: World): Promise<unknown> => (await at.api.get('/auth/methods')).body;
    expect(await methods(world)).toEqual({ password: true, signup: true, firstRun: true, oidc: 'Owl Login' });
    const off = await another({ PASSWORD_LOGIN: 'off', SIGNUP: 'open' });
    expect(await methods(off)).toEqual({
      password: false,
      signup: false,
      firstRun: true,
      oidc: new URL(provider.issuer).host,
    });
    const none = await another({ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', SIGNUP: 'closed' });
    expect(await methods(none)).toEqual({ password: true, signup: false, firstRun: true, oidc: null });
    expect(await none.api.get('/auth/oidc')).toMatchObject({ status: 404, body: { code: 'oidc_not_configured' } });
  });

  it('asks the provider with PKCE, state and nonce, for the address alone', async () => {
    const page = await browserAt().open(BEGIN);
    expect(page.status).toBe(302);
    const asked = new URL(Browser.target(page));
    expect(asked.origin + asked.pathname).toBe(`${provider.issuer}/auth`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: 'pierhead',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [cookie = ''] = page.headers.getSetCookie();
    expect(cookie).toMatch(
      /^svc_sign_in=[\w.-]+; Max-Age=600; Path=\/api\/v1\/auth\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(asked.searchParams.get(secret));
  });

  it('creates a user with a tenant, and recognizes the person afterwards, even if the address changes', async () => {
    const ann = person();
    const first = await signIn(ann);
    expect([first.status, first.headers.get('location')]).toEqual([302, `${PUBLIC_URL}/`]);
    const { status, body } = await me(first);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { email: ann.email }, tenant: { name: ann.email } });
    expect((await usersOf(ann.email ?? ''))[0]?.email_verified_at).not.toBeNull();

    provider.know({ sub: ann.sub, email: `new-${ann.email}`, email_verified: false });
    expect((await me(await signIn(ann))).body.user).toEqual(body.user);
    provider.know({ sub: ann.sub });
    expect((await me(await signIn(ann))).body.user).toEqual(body.user);
  });

  it('reads the address from the ID token when the provider puts it there', async () => {
    const eager = await startOpenIdProvider(CALLBACK, { hasEmailInToken: true });
    const at = await another({ ...eager.env, OIDC_SIGNUP: 'create' });
    const sub = randomUUID();
    eager.know({ sub, email: `${sub}@Author.Example`, email_verified: true });
    const page = await signIn({ sub }, browserAt(at));
    expect((await me(page)).body.user.email).toBe(`${sub}@author.example`);
    await eager.close();
  });

  it('makes one user of a person who comes for the first time in ten browsers at once', async () => {
    const ann = person();
    const browsers = Array.from({ length: 10 }, () => browserAt());
    const callbacks = await Promise.all(browsers.map((browser) => authenticate(browser, ann)));
    const pages = await Promise.all(browsers.map((browser, at) => browser.open(callbacks[at] ?? '')));
    const users = await Promise.all(pages.map(async (page) => (await me(page)).body.user.id));
    expect(new Set(users).size).toBe(1);
    expect(await usersOf(ann.email ?? '')).toHaveLength(1);
  });

  it.each([
    ['/extensions?status=live#top', '/extensions?status=live#top'],
    ['//evil.example/', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
  ])('returns to a page of this service only: %s', async (returnTo, expected) => {
    const page = await signIn(person(), browserAt(), `${BEGIN}?returnTo=${encodeURIComponent(returnTo)}`);
    expect(page.headers.get('location')).toBe(PUBLIC_URL + expected);
  });

  describe('by a person without an account', () => {
    it('is refused unless the person is invited, by default', async () => {
      const ann = person();
      const at = await another({});
      expect(outcome(await signIn(ann, browserAt(at)))).toEqual([403, 'not_invited', '']);
      expect(await usersOf(ann.email ?? '')).toEqual([]);
    });

    it('makes the person a member of every tenant that invited the verified address, and of no other', async () => {
      const ann = person();
      const inviters = [await world.given.tenant(), await world.given.tenant()];
      for (const { cookie } of inviters) {
        const invitation = { email: ann.email, role: 'support' };
        expect((await world.api.as({ cookie }).post('/invitations', invitation)).status).toBe(201);
      }
      const at = await another({});
      provider.know({ ...ann, email_verified: false });
      expect(outcome(await signIn(ann, browserAt(at)))).toEqual([403, 'email_not_verified', '']);
      provider.know(ann);
      const { body } = await me(await signIn(ann, browserAt(at)));
      expect(body.tenants).toEqual(inviters.map(({ tenantId: id }) => ({ id, name: 'Author', role: 'support' })));
      for (const { cookie } of inviters)
        expect((await world.api.as({ cookie }).get('/invitations')).body.items).toEqual([]);
    });

    it('is refused when the invitation was revoked or has expired', async () => {
      const { cookie } = await world.given.tenant();
      const at = await another({});
      const [ann, bob] = [person(), person()];
      const invite = (email = ''): Promise<Answer> =>
        world.api.as({ cookie }).post('/invitations', { email, role: 'viewer' });
      const { id } = (await invite(ann.email)).body;
      await world.api.as({ cookie }).delete(`/invitations/${id}`);
      await invite(bob.email);
      world.clock.forward(7 * DAY);
      for (const who of [ann, bob]) expect(outcome(await signIn(who, browserAt(at)))).toEqual([403, 'not_invited', '']);
    });

    it('lets a user who was removed from every tenant in again by an invitation', async () => {
      const ann = person();
      const { cookie } = await world.given.tenant();
      const invite = (): Promise<Answer> =>
        world.api.as({ cookie }).post('/invitations', { email: ann.email, role: 'viewer' });
      const at = await another({});
      await invite();
      const { body } = await me(await signIn(ann, browserAt(at)));
      await world.app.get(DataSource).query('delete from membership where user_id = $1', [body.user.id]);
      expect(outcome(await signIn(ann, browserAt(at)))).toEqual([403, 'no_tenant', '']);
      await invite();
      expect((await me(await signIn(ann, browserAt(at)))).body).toEqual(body);
    });

    it.each<[string, Partial<Person>]>([
      ['says that it has not verified the address', { email_verified: false }],
      ['does not say whether it verified the address', { email_verified: undefined }],
      ['names no address', { email: undefined }],
      ['names something else', { email: 'not an address' }],
      ['names an address with white space around it', { email: ' ann@author.example' }],
      ['names an address with a line end behind it', { email: 'ann@author.example\n' }],
      ['names an address that lower case turns into that of another person', { email: '\u212aarl@author.example' }],
    ])('is refused when the provider %s', async (_, about) => {
      expect(outcome(await signIn(person(about)))).toEqual([403, 'email_not_verified', '']);
    });

    it('is refused for a domain that is not allowed, also when the person had signed in before', async () => {
      const ann = person();
      const owl = person({ email: `${randomUUID()}@OWL.example` });
      expect((await signIn(ann)).status).toBe(302);
      const at = await another({ OIDC_SIGNUP: 'create', OIDC_ALLOWED_DOMAINS: 'owl.example' });
      expect(outcome(await signIn(ann, browserAt(at)))).toEqual([403, 'email_domain_not_allowed', '']);
      expect((await signIn(owl, browserAt(at))).status).toBe(302);
      provider.know({ sub: owl.sub, email: owl.email ?? '', email_verified: false });
      expect(outcome(await signIn(owl, browserAt(at)))).toEqual([403, 'email_not_verified', '']);
    });
  });

  describe('by a person whose address has an account', () => {
    const proven = (email: string): Promise<unknown> =>
      world.app.get(DataSource).query('update tenant_user set email_verified_at = now() where email = $1', [email]);

    it('is refused while the account might be that of a stranger who signed up with the address', async () => {
      const { email } = await world.given.tenant();
      expect(outcome(await signIn(person({ email })))).toEqual([409, 'account_not_linked', '']);
    });

    it('links the account when its user has proven the address', async () => {
      const { email, tenantId } = await world.given.tenant();
      await proven(email);
      const ann = person({ email });
      expect((await me(await signIn(ann))).body).toMatchObject({ user: { email }, tenant: { id: tenantId } });
      const successor = person({ email });
      expect(outcome(await signIn(successor))).toEqual([409, 'account_not_linked', '']);
    });

    it('is refused when the account has a second factor, which the sign-in would go around', async () => {
      const { email, cookie, password } = await world.given.tenant();
      await proven(email);
      const api = world.api.as({ cookie });
      const { secret } = expectStatus(await api.post('/auth/second-factor', { password }), 201).body;
      const code = await generate({ secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
      expectStatus(await api.post('/auth/second-factor/confirm', { code }), 200);
      expect(outcome(await signIn(person({ email })))).toEqual([409, 'account_not_linked', '']);
    });

    it('is possible once the user has linked it while logged in', async () => {
      const { email, cookie, tenantId } = await world.given.tenant();
      const ann = person({ email });
      const browser = browserAt();
      const [name = '', value = ''] = cookie.split('=');
      browser.setCookie(world.url, name, value);
      const begun = await world.api.as({ cookie }).post('/auth/oidc/link', { returnTo: '/account' });
      expect(begun.status).toBe(200);
      const [kept = ''] = begun.headers.getSetCookie();
      browser.setCookie(world.url, 'svc_sign_in', /svc_sign_in=([^;]+)/.exec(kept)?.[1] ?? '');
      const linked = await browser.open(await authenticate(browser, ann, begun.body.url));
      expect([linked.status, linked.headers.get('location')]).toEqual([302, `${PUBLIC_URL}/account`]);
      expect(cookieOf(linked)).toBe('');
      expect((await me(await signIn(ann))).body).toMatchObject({ user: { email }, tenant: { id: tenantId } });
    });

    /** Signs a user in who has linked a person of the provider, beside a password. */
    const withBoth = async (): Promise<{ readonly page: Page; readonly ann: Person; readonly cookie: string }> => {
      const { email, cookie } = await world.given.tenant();
      await proven(email);
      const ann = person({ email });
      return { page: await signIn(ann), ann, cookie };
    };
    const linkedOf = async (cookie: string): Promise<readonly { readonly id: string }[]> =>
      expectStatus(await world.api.as({ cookie }).get('/auth/oidc/identities'), 200).body.items;

    it('is shown to the user and unlinked, which ends all other sessions', async () => {
      const { page, ann, cookie } = await withBoth();
      const linked = await linkedOf(cookie);
      const createdAt = world.clock.now().toISOString();
      expect(linked).toEqual([
        { id: expect.any(String), issuer: provider.issuer, subject: ann.sub, active: true, createdAt },
      ]);
      const unlink = (by: string): Promise<Answer> =>
        world.api.as({ cookie: by }).delete(`/auth/oidc/identities/${linked[0]?.id}`);
      const stranger = await world.given.tenant();
      expect(await unlink(stranger.cookie)).toMatchObject({ status: 404, body: { code: 'identity_not_found' } });
      const statuses = await Promise.all([unlink(cookie), unlink(cookie)]);
      expect(statuses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 404]);
      expect(await linkedOf(cookie)).toEqual([]);
      expect((await me(page)).status).toBe(401);
      const entries = (await world.api.as({ cookie }).get('/audit?action=user.identity_unlinked')).body.items;
      expect(entries).toHaveLength(1);
    });

    it('is not unlinked when it is the only way in: no password, or passwords are switched off', async () => {
      const created = cookieOf(await signIn(person()));
      const off = await another({ PASSWORD_LOGIN: 'off' });
      for (const [at, cookie] of [
        [world, created],
        [off, (await withBoth()).cookie],
      ] as const) {
        const [{ id } = { id: '' }] = await linkedOf(cookie);
        expect(await at.api.as({ cookie }).delete(`/auth/oidc/identities/${id}`)).toMatchObject({
          status: 409,
          body: { code: 'only_way_in' },
        });
        expect(await linkedOf(cookie)).toHaveLength(1);
      }
    });

    it('is not linked in the browser of somebody else', async () => {
      const { cookie } = await world.given.tenant();
      const begun = await world.api.as({ cookie }).post('/auth/oidc/link', {});
      const [kept = ''] = begun.headers.getSetCookie();
      for (const session of ['', (await world.given.tenant()).cookie]) {
        const browser = browserAt();
        browser.setCookie(world.url, 'svc_sign_in', /svc_sign_in=([^;]+)/.exec(kept)?.[1] ?? '');
        if (session !== '') browser.setCookie(world.url, 'svc_session', session.split('=')[1] ?? '');
        const page = await browser.open(await authenticate(browser, person(), begun.body.url));
        expect(outcome(page)).toEqual([400, 'sign_in_expired', '']);
      }
    });

    it('is not linked to a person who signs in as another user', async () => {
      const ann = person();
      await signIn(ann);
      const { cookie } = await world.given.tenant();
      const begun = await world.api.as({ cookie }).post('/auth/oidc/link', {});
      const [kept = ''] = begun.headers.getSetCookie();
      const browser = browserAt();
      browser.setCookie(world.url, 'svc_sign_in', /svc_sign_in=([^;]+)/.exec(kept)?.[1] ?? '');
      browser.setCookie(world.url, 'svc_session', cookie.split('=')[1] ?? '');
      const page = await browser.open(await authenticate(browser, ann, begun.body.url));
      expect(outcome(page)).toEqual([409, 'identity_taken', '']);
    });
  });

  describe('whose callback is not the one that this browser awaits', () => {
    const expired = [400, 'sign_in_expired', ''];

    it('is refused the second time, even by a browser that kept its cookie', async () => {
      const browser = browserAt();
      const callback = await authenticate(browser, person());
      const kept = browser.cookies(world.url).get('svc_sign_in') ?? '';
      expect((await browser.open(callback)).status).toBe(302);
      expect(browser.cookies(world.url).has('svc_sign_in')).toBe(false);
      expect(outcome(await browser.open(callback))).toEqual(expired);
      browser.setCookie(world.url, 'svc_sign_in', kept);
      expect(outcome(await browser.open(callback))).toEqual(expired);
    });

    it('is refused in another browser, with or without a sign-in of its own', async () => {
      const callback = await authenticate(browserAt(), person());
      const victim = browserAt();
      expect(outcome(await victim.open(callback))).toEqual(expired);
      await victim.open(BEGIN);
      expect(outcome(await victim.open(callback))).toEqual(expired);
    });

    it('is refused after ten minutes, and with a cookie that was altered', async () => {
      const late = browserAt();
      const callback = await authenticate(late, person());
      world.clock.forward(10 * MINUTE);
      expect(outcome(await late.open(callback))).toEqual(expired);
      const browser = browserAt();
      const fresh = await authenticate(browser, person());
      const kept = browser.cookies(world.url).get('svc_sign_in') ?? '';
      browser.setCookie(
        world.url,
        'svc_sign_in',
        kept.replace(/.(?=.{20}$)/, (sign) => (sign === 'A' ? 'B' : 'A')),
      );
      expect(outcome(await browser.open(fresh))).toEqual(expired);
    });

    it.each(['', '?code=x', '?state=x', '?state[]=x&code=1', `?error=access_denied&state=${'x'.repeat(43)}`])(
      'is refused without the state that was sent: %s',
      async (query) => {
        const browser = browserAt();
        await browser.open(BEGIN);
        expect(outcome(await browser.open(CALLBACK + query))).toEqual(expired);
      },
    );

    it('is refused when it names another issuer, whose code would otherwise go to this one', async () => {
      const browser = browserAt();
      const callback = new URL(await authenticate(browser, person()));
      expect(callback.searchParams.get('iss')).toBe(provider.issuer);
      callback.searchParams.set('iss', 'https://evil.example');
      expect(outcome(await browser.open(callback.href))).toEqual([502, 'identity_provider_answer_invalid', '']);
    });
  });

  it('that the person cancels ends on a page that names what the provider said', async () => {
    const browser = browserAt();
    const asked = await browser.open(Browser.target(await browser.open(BEGIN)));
    const form = await browser.open(Browser.target(asked));
    const [, abort = ''] = /href="([^"]+\/abort)"/.exec(form.text) ?? [];
    const back = Browser.target(await browser.open(Browser.target(await browser.open(abort))));
    expect(new URL(back).searchParams.get('error')).toBe('access_denied');
    const page = await browser.open(back);
    expect(outcome(page)).toEqual([403, 'sign_in_refused', '']);
    expect(page.text).toContain('access_denied');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const hostile = await browserAt().open(BEGIN);
    const { searchParams } = new URL(Browser.target(hostile));
    const again = browserAt();
    again.setCookie(
      world.url,
      'svc_sign_in',
      /svc_sign_in=([^;]+)/.exec(hostile.headers.getSetCookie()[0] ?? '')?.[1] ?? '',
    );
    const query = new URLSearchParams({
      error: '<script>',
      error_description: '<b>',
      iss: provider.issuer,
      state: searchParams.get('state') ?? '',
    });
    const shown = await again.open(`${CALLBACK}?${query.toString()}`);
    expect(shown.text).not.toMatch(/<script>|<b>/);
    expect(outcome(shown)).toEqual([403, 'sign_in_refused', '']);
  });

  describe('with an ID token', () => {
    const unsigned: Forgery = async (claims) =>
      [{ alg: 'none' }, claims, '']
        .map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url')))
        .join('.');

    it.each<[string, Forgery]>([
      ['of another nonce', (claims, sign) => sign({ ...claims, nonce: 'another' })],
      ['without a nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
      ['for another audience', (claims, sign) => sign({ ...claims, aud: 'another-client' })],
      [
        'for several audiences, issued to another',
        (claims, sign) => sign({ ...claims, aud: ['pierhead', 'another'], azp: 'another' }),
      ],
      ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://evil.example' })],
      ['that has expired', (claims, sign) => sign({ ...claims, exp: (claims.iat ?? 0) - HOUR / 1000 })],
      ['that is not signed', unsigned],
      [
        'that was altered after it was signed',
        async (claims, sign) => {
          const [head, , signature] = (await sign(claims)).split('.');
          return [
            head,
            Buffer.from(JSON.stringify({ ...claims, sub: 'somebody else' })).toString('base64url'),
            signature,
          ].join('.');
        },
      ],
      ['under a key that the provider does not publish', (claims, sign) => sign(claims, { kid: 'another' })],
      ['without a subject', (claims, sign) => sign({ ...claims, sub: undefined })],
      ['with an empty subject', (claims, sign) => sign({ ...claims, sub: '' })],
      ['with a subject of 256 characters', (claims, sign) => sign({ ...claims, sub: 'x'.repeat(256) })],
      ['with a subject that is not ASCII', (claims, sign) => sign({ ...claims, sub: 'bé\u0301a' })],
      ['that is no token', async () => 'nonsense'],
    ])('%s is refused', async (_, forgery) => {
      provider.forge(forgery);
      const page = await signIn(person());
      expect(outcome(page)).toEqual([502, 'identity_provider_answer_invalid', '']);
      expect(page.text).not.toMatch(/ at |node_modules/);
    });

    it('of another subject than the one that the userinfo endpoint names is refused', async () => {
      provider.forge((claims, sign) => sign({ ...claims, sub: 'somebody else' }));
      expect(outcome(await signIn(person()))).toEqual([502, 'identity_provider_answer_invalid', '']);
    });

    it('is accepted after all of that', async () => {
      provider.forge((claims, sign) => sign(claims));
      expect((await signIn(person())).status).toBe(302);
    });
  });

  describe('while the provider does not answer', () => {
    const unreachable = [503, 'identity_provider_unreachable', ''];

    it('is refused with a page and an advice to wait, and works as soon as it answers', async () => {
      await provider.setReachable(false);
      const at = await another({ OIDC_SIGNUP: 'create' });
      const page = await browserAt(at).open(BEGIN);
      expect(outcome(page)).toEqual(unreachable);
      expect(page.headers.get('retry-after')).toBe('10');
      expect(await at.api.get('/auth/oidc')).toMatchObject({
        status: 503,
        body: { code: 'identity_provider_unreachable' },
      });
      await provider.setReachable(true);
      expect((await signIn(person(), browserAt(at))).status).toBe(302);
    });

    it('is refused at the callback too', async () => {
      const browser = browserAt();
      const callback = await authenticate(browser, person());
      await provider.setReachable(false);
      expect(outcome(await browser.open(callback))).toEqual(unreachable);
      await provider.setReachable(true);
    });

    it('begins with what is known of the provider, which is read once an hour', async () => {
      const before = provider.discoveries;
      world.clock.forward(HOUR);
      await Promise.all(Array.from({ length: 5 }, () => browserAt().open(BEGIN)));
      expect(provider.discoveries).toBe(before + 1);
      world.clock.forward(HOUR);
      await provider.setReachable(false);
      const begun = await Promise.all(Array.from({ length: 5 }, () => browserAt().open(BEGIN)));
      expect(begun.map(({ status }) => status)).toEqual(Array<number>(5).fill(302));
      await provider.setReachable(true);
    });

    it('is refused when something else answers at the issuer, or the issuer names itself otherwise', async () => {
      for (const document of ['<html>', JSON.stringify({ issuer: 'https://evil.example' })]) {
        const impostor = createServer((_, response) =>
          response.setHeader('content-type', 'application/json').end(document),
        );
        await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
        const address = impostor.address() as { readonly port: number };
        const at = await another({ OIDC_ISSUER: `http://127.0.0.1:${address.port}` });
        expect(outcome(await browserAt(at).open(BEGIN))).toEqual([502, 'identity_provider_answer_invalid', '']);
        impostor.close();
      }
    });
  });

  it('logs no code, state, token or secret', async () => {
    const browser = browserAt();
    const callback = new URL(await authenticate(browser, person()));
    const cookie = cookieOf(await browser.open(callback.href));
    provider.forge(async () => 'MARKED.MARKED.MARKED');
    await signIn(person());
    const everything = [world, ...others].flatMap(({ log }) => log).join('\n');
    for (const secret of [
      callback.searchParams.get('code') ?? '',
      callback.searchParams.get('state') ?? '',
      cookie.slice('svc_session='.length),
      provider.env['OIDC_CLIENT_SECRET'] ?? '',
      'MARKED',
    ]) {
      expect(secret).not.toBe('');
      expect(everything).not.toContain(secret);
    }
  });

  it('leaves the log-in with a password to the operator', async () => {
    const { email, password } = await world.given.tenant();
    const at = await another({ PASSWORD_LOGIN: 'off', SIGNUP: 'open' });
    const disabled = { status: 403, body: { code: 'password_login_disabled' } };
    expect(await at.api.post('/auth/login', { email, password })).toMatchObject(disabled);
    const signup = { email: `${randomUUID()}@author.example`, password, tenantName: 'Author' };
    expect(await at.api.post('/auth/signup', signup)).toMatchObject(disabled);
    expect(await at.api.post('/auth/password/reset-request', { email })).toMatchObject(disabled);
    const reset = { token: 'A'.repeat(43), newPassword: 'another long password' };
    expect(await at.api.post('/auth/password/reset', reset)).toMatchObject(disabled);
    expect((await world.api.post('/auth/login', { email, password })).status).toBe(200);
  });
});
