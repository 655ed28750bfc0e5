import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../licensing/delivery/codes.js';
import type { Answer } from '../support/api.js';
import { MailDeliveryWorker, PasswordResetsService, pg, startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';

const NEW = 'a heron counts seven reeds';
const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const problem = (status: number, code: string) => ({ status, body: { code } });
/** Everything a client can see of an answer but its own id and time. */
const visible = ({ status, headers, text }: Answer): object => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

describe('a password', () => {
  let smtp: SmtpServer;
  let world: World;
  let mailless: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    mailless = await startWorld({ with: world });
  });
  afterAll(async () => {
    await mailless.close();
    await world.close();
  });

  const logIn = (email: string, password: string): Promise<Answer> =>
    world.api.post('/auth/login', { email, password });
  const statusOf = async (cookie: string): Promise<number> => (await world.api.as({ cookie }).get('/auth/me')).status;
  const change = ({ cookie }: Pick<Tenant, 'cookie'>, currentPassword: string, newPassword = NEW): Promise<Answer> =>
    world.api.as({ cookie }).post('/auth/password', { currentPassword, newPassword });
  const request = (email: string, at = world): Promise<Answer> =>
    at.api.post('/auth/password/reset-request', { email });
  const reset = (token: string, newPassword = NEW): Promise<Answer> =>
    world.api.post('/auth/password/reset', { token, newPassword });
  /** The secrets of the links that were mailed to an address, oldest first. */
  const mailedTo = async (email: string): Promise<readonly string[]> => {
    await world.app.get(PasswordResetsService).whenIdle();
    await world.app.get(MailDeliveryWorker).tick();
    return smtp
      .to(email)
      .flatMap((mail) => /reset-password\?token=([\w-]{43})\s/.exec(partOf(mail, 'text/plain'))?.[1] ?? []);
  };
  const linkOf = async (email: string): Promise<string> => {
    expectStatus(await request(email), 202);
    return (await mailedTo(email)).at(-1) ?? '';
  };

  describe('that its user changes', () => {
    it('ends all other sessions with the tokens they were exchanged for, and keeps this one', async () => {
      const tenant = await world.given.tenant();
      const other = cookieOf(await logIn(tenant.email, tenant.password));
      const exchange = async (cookie: string): Promise<string> =>
        expectStatus(await world.api.as({ cookie }).post('/auth/token'), 200).body.token;
      const tokens = [await exchange(tenant.cookie), await exchange(other), tenant.token];
      expectStatus(await change(tenant, tenant.password), 204);
      expect([await statusOf(tenant.cookie), await statusOf(other)]).toEqual([200, 401]);
      const answers = await Promise.all(tokens.map((token) => world.api.as({ token }).get('/extensions')));
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
      expect((await logIn(tenant.email, tenant.password)).status).toBe(401);
      expect((await logIn(tenant.email, NEW)).status).toBe(200);
    });

    it('is changed only by those who know it, and once by two who change it at once', async () => {
      const tenant = await world.given.tenant();
      expect(await change(tenant, 'a wrong password')).toMatchObject(problem(403, 'wrong_password'));
      const both = await Promise.all([change(tenant, tenant.password), change(tenant, tenant.password, `${NEW}!`)]);
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['204', '403']);
    });

    it('leaves no session to log-ins with the old one that are under way', async () => {
      const tenant = await world.given.tenant();
      const changed = change(tenant, tenant.password);
      const late = await Promise.all(Array.from({ length: 8 }, () => logIn(tenant.email, tenant.password)));
      expectStatus(await changed, 204);
      const begun = late.filter(({ status }) => status === 200);
      expect(await Promise.all(begun.map((answer) => statusOf(cookieOf(answer))))).toEqual(begun.map(() => 401));
    });

    it.each(['Password123', 'too short', 'Author of 2026'])('may not be %j', async (newPassword) => {
      const tenant = await world.given.tenant();
      const named = await world.api.post('/auth/signup', {
        email: `${randomUUID()}@author.example`,
        password: tenant.password,
        tenantName: 'author OF 2026',
      });
      expect(await change({ cookie: cookieOf(named) }, tenant.password, newPassword)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: 'newPassword' }] },
      });
    });

    it('is guessed as slowly as at log-in', async () => {
      const limited = await startWorld({ with: world, env: { RATE_LIMITS: 'on', RATE_LIMIT_LOGIN_PER_EMAIL: '2' } });
      const { cookie } = await world.given.tenant();
      const guess = () =>
        limited.api
          .as({ cookie })
          .post('/auth/password', { currentPassword: 'a wrong password', newPassword: NEW })
          .then(({ status }) => status);
      expect([await guess(), await guess(), await guess()]).toEqual([403, 403, 429]);
      await limited.close();
    });
  });

  describe('that its user has forgotten', () => {
    it('is reset by a mailed link, which ends all sessions', async () => {
      const { email, cookie, password } = await world.given.tenant();
      const token = await linkOf(email);
      expect(smtp.to(email)).toHaveLength(1);
      expect(headerOf(smtp.to(email)[0] ?? { from: '', to: [], source: '' }, 'Subject')).toBe('Set a new password');
      expect(await statusOf(cookie)).toBe(200);
      expectStatus(await reset(token), 204);
      expect(await statusOf(cookie)).toBe(401);
      expect((await logIn(email, password)).status).toBe(401);
      expect((await logIn(email, NEW)).status).toBe(200);
    });

    it('is asked about alike for known and unknown addresses: status, headers and body', async () => {
      const { email } = await world.given.tenant();
      const stranger = `${randomUUID()}@author.example`;
      const [known, unknown] = [await request(email), await request(stranger)];
      expect(visible(known)).toEqual(visible(unknown));
      expect(known).toMatchObject({ status: 202, text: '' });
      expect(await mailedTo(stranger)).toEqual([]);
      expect(await mailedTo(email)).toHaveLength(1);
    });

    // The embedded database has one session, which a lock would hold for all.
    (onServer ? it : it.skip)('is asked about without waiting for what tells them apart', async () => {
      const { email } = await world.given.tenant();
      const locker = new pg.Client(world.database.url);
      await locker.connect();
      // Nobody can read users until the end: an answer that depended on one would not come.
      await locker.query('begin');
      await locker.query('lock table tenant_user in access exclusive mode');
      const answers = [await request(email), await request(`${randomUUID()}@author.example`)];
      await locker.query('rollback');
      await locker.end();
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      expect(await mailedTo(email)).toHaveLength(1);
    });

    it('is asked about as often for known as for unknown addresses', async () => {
      const env = { ...smtp.env, RATE_LIMITS: 'on', RATE_LIMIT_PASSWORD_RESETS_PER_EMAIL: '2' };
      const limited = await startWorld({ with: world, env });
      const { email } = await world.given.tenant();
      for (const address of [email, `${randomUUID()}@author.example`]) {
        const statuses: number[] = [];
        for (let time = 0; time < 3; time += 1) statuses.push((await request(address, limited)).status);
        expect(statuses).toEqual([202, 202, 429]);
      }
      await limited.close();
    });

    it('cannot be reset by mail where there is no mail server, which is said of every address alike', async () => {
      const { email } = await world.given.tenant();
      const answers = [await request(email, mailless), await request(`${randomUUID()}@author.example`, mailless)];
      for (const answer of answers) {
        expect(answer).toMatchObject(problem(409, 'mail_not_configured'));
        expect(answer.body.detail).toContain('npm run --silent admin -- reset-password');
      }
      const said = answers.map((answer) => JSON.stringify(visible(answer)).replace(answer.body.requestId, ''));
      expect(said[0]).toBe(said[1]);
    });

    it('is of no use where passwords are switched off, for known and unknown addresses alike', async () => {
      const env = {
        ...smtp.env,
        PASSWORD_LOGIN: 'off',
        OIDC_ISSUER: 'http://127.0.0.1:9',
        OIDC_CLIENT_ID: 'x',
        OIDC_CLIENT_SECRET: 'y',
      };
      const off = await startWorld({ with: world, env });
      const { email, cookie } = await world.given.tenant();
      const passwords = { currentPassword: 'a long enough password', newPassword: NEW };
      for (const answer of [
        await request(email, off),
        await request(`${randomUUID()}@author.example`, off),
        await off.api.post('/auth/password/reset', { token: 'x'.repeat(43), newPassword: NEW }),
        await off.api.as({ cookie }).post('/auth/password', passwords),
      ])
        expect(answer).toMatchObject(problem(403, 'password_login_disabled'));
      await off.close();
    });

    it('is set once by ten who use a link at once', async () => {
      const { email } = await world.given.tenant();
      const token = await linkOf(email);
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => reset(token, `${NEW} ${at}`)));
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(answers.filter(({ body }) => body?.code === 'reset_link_invalid')).toHaveLength(9);
      const winner = answers.findIndex(({ status }) => status === 204);
      expect((await logIn(email, `${NEW} ${winner}`)).status).toBe(200);
    });

    it('is not set by a link that is used, late, followed by a newer one or by a change, or none at all', async () => {
      const spent = problem(410, 'reset_link_invalid');
      const { email } = await world.given.tenant();
      const first = await linkOf(email);
      world.clock.forward(5 * MINUTE + 1);
      const second = await linkOf(email);
      expect(await reset(first)).toMatchObject(spent);
      expectStatus(await reset(second), 204);
      expect(await reset(second)).toMatchObject(spent);
      const late = await linkOf(email);
      world.clock.forward(30 * MINUTE);
      expect(await reset(late)).toMatchObject(spent);
      const tenant = await world.given.tenant();
      const overtaken = await linkOf(tenant.email);
      expectStatus(await change(tenant, tenant.password), 204);
      expect(await reset(overtaken)).toMatchObject(spent);
      for (const token of ['x', 'x'.repeat(43), "' or true --"]) expect(await reset(token)).toMatchObject(spent);
    });

    it('is set by the link that was made a moment ago, however often the link is asked for', async () => {
      const { email } = await world.given.tenant();
      const first = await linkOf(email);
      world.clock.forward(4 * MINUTE);
      const again = await linkOf(email);
      expect(again).toBe(first);
      expect(await mailedTo(email)).toEqual([first, first]);
      world.clock.forward(2 * MINUTE);
      const next = await linkOf(email);
      expect(next).not.toBe(first);
      expectStatus(await reset(next), 204);
      // A link that was used is not sent again.
      expect(await linkOf(email)).not.toBe(next);
    });

    it('sends at most six links a day to an address, known or not', async () => {
      const limited = await startWorld({
        with: world,
        env: { ...smtp.env, RATE_LIMITS: 'on', RATE_LIMIT_PASSWORD_RESETS_PER_EMAIL: '100' },
      });
      try {
        for (const email of [(await world.given.tenant()).email, 'nobody@author.example']) {
          for (let time = 0; time < 6; time += 1) expectStatus(await request(email, limited), 202);
          expect(await request(email.replace('@', '+x@'), limited)).toMatchObject(problem(429, 'rate_limited'));
        }
      } finally {
        await limited.close();
      }
    });

    it('keeps its link when the new one is refused', async () => {
      const { email } = await world.given.tenant();
      const token = await linkOf(email);
      for (const weak of ['password123', email])
        expect(await reset(token, weak)).toMatchObject({ status: 400, body: { errors: [{ field: 'newPassword' }] } });
      expectStatus(await reset(token), 204);
    });

    it('leaves the secret of its link nowhere but in the mail', async () => {
      const { email } = await world.given.tenant();
      expectStatus(await request(email), 202);
      await world.app.get(PasswordResetsService).whenIdle();
      const waiting = await everything(world);
      const token = (await mailedTo(email)).at(-1) ?? '';
      expect(token).toMatch(/^[\w-]{43}$/);
      await world.api.get(`//account/reset-password?token=${token}`);
      expectStatus(await reset(token), 204);
      for (const place of [waiting, await everything(world), world.log.join('\n')]) {
        expect(place).not.toContain(token);
        expect(place).not.toContain(NEW);
      }
    });
  });

  describe('on the page that a link opens', () => {
    const page = (token: string) => fetch(`${world.url}/account/reset-password?token=${token}`);
    const send = async (fields: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${world.url}/account/reset-password`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    };

    it('is set by a form without scripts, which opening does not use up', async () => {
      const { email } = await world.given.tenant();
      const token = await linkOf(email);
      for (let time = 0; time < 2; time += 1) {
        const shown = await page(token);
        expect(shown.status).toBe(200);
        expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
        expect(shown.headers.get('cache-control')).toBe('no-store');
        expect(shown.headers.get('referrer-policy')).toBe('same-origin');
        expect(await shown.text()).toContain(`name="token" value="${token}"`);
      }
      expect(await send({ token, newPassword: NEW })).toMatchObject({
        status: 200,
        text: expect.stringContaining('Your password is changed'),
      });
      expect((await logIn(email, NEW)).status).toBe(200);
      expect(await send({ token, newPassword: NEW })).toMatchObject({
        status: 410,
        text: expect.stringContaining('no longer works'),
      });
    });

    it.each(['short', 'password123'])('shows the form again for %j', async (newPassword) => {
      const token = await linkOf((await world.given.tenant()).email);
      const { status, text } = await send({ token, newPassword });
      expect(status).toBe(400);
      expect(text).toContain(`name="token" value="${token}"`);
      expect(text).toContain('role="alert"');
      expect(text).not.toContain(newPassword);
    });

    it('shows nothing of a hostile link but text', async () => {
      const shown = await page(encodeURIComponent('"><script>alert(1)</script>'));
      expect(await shown.text()).not.toContain('<script');
    });
  });
});
