import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import { everything } from '../licensing/delivery/codes.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const STEP = 30 * SECOND;
const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const refused = (status: number, code: string) => ({ status, body: { code } });
const REQUIRED = refused(403, 'second_factor_required');
const INVALID = refused(403, 'second_factor_invalid');

describe('a second factor', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const codeOf = (secret: string, after = 0): Promise<string> =>
    generate({ secret, epoch: Math.floor((world.clock.now().getTime() + after) / SECOND) });
  const post = ({ cookie }: Pick<Tenant, 'cookie'>, path: string, body?: object): Promise<Answer> =>
    world.api.as({ cookie }).post(`/auth/second-factor${path}`, body);
  const logIn = ({ email, password }: Tenant, code?: string, at = world): Promise<Answer> =>
    at.api.post('/auth/login', { email, password, ...(code === undefined ? {} : { code }) });

  interface Guarded extends Tenant {
    readonly secret: string;
    readonly recoveryCodes: readonly string[];
  }
  /** A user with an app, whose next code is not spent. */
  const guarded = async (): Promise<Guarded> => {
    const tenant = await world.given.tenant();
    const { secret } = expectStatus(await post(tenant, '', { password: tenant.password }), 201).body;
    const { recoveryCodes } = expectStatus(await post(tenant, '/confirm', { code: await codeOf(secret) }), 200).body;
    world.clock.forward(STEP);
    return { ...tenant, secret, recoveryCodes };
  };

  describe('that is set up', () => {
    it('needs the password, and asks for codes only once the app has shown one', async () => {
      const tenant = await world.given.tenant();
      expect(await post(tenant, '', { password: 'a wrong password' })).toMatchObject(refused(403, 'wrong_password'));
      const { secret, otpauthUrl } = expectStatus(await post(tenant, '', { password: tenant.password }), 201).body;
      expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret);
      expect((await logIn(tenant)).status).toBe(200);
      expect(await post(tenant, '/confirm', { code: '000000' })).toMatchObject(INVALID);
      const { recoveryCodes } = expectStatus(await post(tenant, '/confirm', { code: await codeOf(secret) }), 200).body;
      expect(new Set(recoveryCodes).size).toBe(10);
      expect(await logIn(tenant)).toMatchObject(REQUIRED);
      expect((await world.api.as({ cookie: tenant.cookie }).get('/auth/second-factor')).body).toEqual({
        enabled: true,
        confirmedAt: world.clock.now().toISOString(),
        recoveryCodesLeft: 10,
      });
    });

    it('replaces one that was not confirmed, never one that was', async () => {
      const tenant = await world.given.tenant();
      const begin = () => post(tenant, '', { password: tenant.password });
      const first = expectStatus(await begin(), 201).body.secret;
      const second = expectStatus(await begin(), 201).body.secret;
      expect(await post(tenant, '/confirm', { code: await codeOf(first) })).toMatchObject(INVALID);
      expectStatus(await post(tenant, '/confirm', { code: await codeOf(second) }), 200);
      expect(await begin()).toMatchObject(refused(409, 'second_factor_active'));
      expect(await post(tenant, '/confirm', { code: await codeOf(second) })).toMatchObject(
        refused(409, 'second_factor_missing'),
      );
    });

    it('is confirmed once by ten at once', async () => {
      const tenant = await world.given.tenant();
      const { secret } = expectStatus(await post(tenant, '', { password: tenant.password }), 201).body;
      const code = await codeOf(secret);
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(tenant, '/confirm', { code })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    });

    it('leaves its secret and its codes in no table and no line of the log', async () => {
      const { cookie, secret, recoveryCodes, ...tenant } = await guarded();
      const code = await codeOf(secret);
      expectStatus(await logIn({ cookie, ...tenant }, code), 200);
      for (const place of [await everything(world), world.log.join('\n')])
        for (const plain of [secret, ...recoveryCodes, ...recoveryCodes.map((one) => one.replaceAll('-', ''))])
          expect(place).not.toContain(plain);
    });
  });

  describe('at log-in', () => {
    it('is asked for only after the right password', async () => {
      const { email, secret, password } = await guarded();
      const code = await codeOf(secret);
      const wrong = await world.api.post('/auth/login', { email, password: 'a wrong password', code });
      expect(wrong).toMatchObject(refused(401, 'invalid_credentials'));
      expect(await world.api.post('/auth/login', { email, password })).toMatchObject(REQUIRED);
      expectStatus(await world.api.post('/auth/login', { email, password, code }), 200);
    });

    it('is not asked of users who have none, whose code is ignored', async () => {
      const tenant = await world.given.tenant();
      expect((await logIn(tenant, '123456')).status).toBe(200);
    });

    it('begins no session without it', async () => {
      const user = await guarded();
      for (const answer of [await logIn(user), await logIn(user, '000000'), await logIn(user, 'AAAA-AAAA-AAAA-AAAA')])
        expect(cookieOf(answer)).toBe('');
      expect((await world.api.as({ cookie: user.cookie }).get('/auth/sessions')).body.items).toHaveLength(1);
    });

    it.each([
      ['a step early', STEP, 200],
      ['a step late', -STEP, 200],
      ['two steps late', -2 * STEP, 403],
      ['two steps early', 2 * STEP, 403],
    ])('is accepted from a clock that is %s: %#', async (_, after, status) => {
      const user = await guarded();
      world.clock.forward(5 * STEP);
      expect((await logIn(user, await codeOf(user.secret, after))).status).toBe(status);
    });

    it('accepts a code once, and none from before it', async () => {
      const user = await guarded();
      world.clock.forward(5 * STEP);
      const [earlier, code] = [await codeOf(user.secret, -STEP), await codeOf(user.secret)];
      const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(user, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'second_factor_invalid')).toHaveLength(9);
      expect(await logIn(user, code)).toMatchObject(INVALID);
      expect(await logIn(user, earlier)).toMatchObject(INVALID);
    });

    it('accepts each recovery code once, however it is typed', async () => {
      const user = await guarded();
      const [first = '', second = ''] = user.recoveryCodes;
      const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(user, first)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await logIn(user, ` ${second.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(200);
      expect(await logIn(user, second)).toMatchObject(INVALID);
      const { body } = await world.api.as({ cookie: user.cookie }).get('/auth/second-factor');
      expect(body.recoveryCodesLeft).toBe(8);
    });

    it('does not accept the codes of another user', async () => {
      const [user, other] = [await guarded(), await guarded()];
      expect(await logIn(user, await codeOf(other.secret))).toMatchObject(INVALID);
      expect(await logIn(user, other.recoveryCodes[0])).toMatchObject(INVALID);
    });

    it('is guessed a few times at most, from all addresses together, until it is shown', async () => {
      const env = {
        RATE_LIMITS: 'on',
        RATE_LIMIT_LOGIN_PER_EMAIL: '3',
        RATE_LIMIT_LOGIN_PER_ADDRESS: '1000',
        TRUST_PROXY: '1',
      };
      const limited = await startWorld({ with: world, env });
      const user = await guarded();
      const guess = (code: string, from: number): Promise<Answer> =>
        limited.api.post(
          '/auth/login',
          { email: user.email, password: user.password, code },
          { headers: { 'x-forwarded-for': `203.0.113.${from}` } },
        );
      const statuses: number[] = [];
      for (let from = 1; from <= 4; from += 1) statuses.push((await guess('000000', from)).status);
      expect(statuses).toEqual([403, 403, 403, 429]);
      expect((await guess(await codeOf(user.secret), 5)).status).toBe(429);
      await limited.close();
    });
  });

  describe('in a session', () => {
    const create = ({ cookie }: Pick<Tenant, 'cookie'>): Promise<Answer> =>
      world.api.as({ cookie }).post('/access-tokens', { name: 'CI', scopes: ['*'] });

    it('is good for 15 minutes after log-in, and then asked for again', async () => {
      const user = await guarded();
      const cookie = cookieOf(await logIn(user, await codeOf(user.secret)));
      world.clock.forward(15 * MINUTE - 1);
      expectStatus(await create({ cookie }), 201);
      world.clock.forward(1);
      expect(await create({ cookie })).toMatchObject(REQUIRED);
      expect((await world.api.as({ cookie }).get('/access-tokens')).status).toBe(200);
      expect(await post({ cookie }, '/verify', { code: '000000' })).toMatchObject(INVALID);
      expect(await create({ cookie })).toMatchObject(REQUIRED);
      const code = await codeOf(user.secret);
      const { validUntil } = expectStatus(await post({ cookie }, '/verify', { code }), 200).body;
      expect(Date.parse(validUntil) - world.clock.now().getTime()).toBe(15 * MINUTE);
      expectStatus(await create({ cookie }), 201);
      expect(await post({ cookie }, '/verify', { code })).toMatchObject(INVALID);
    });

    it('is good for that session alone, and not asked of users who have none', async () => {
      const user = await guarded();
      world.clock.forward(15 * MINUTE);
      const cookie = cookieOf(await logIn(user, await codeOf(user.secret)));
      expectStatus(await create({ cookie }), 201);
      expect(await create(user)).toMatchObject(REQUIRED);
      expectStatus(await create(await world.given.tenant()), 201);
    });

    it.each([
      ['POST', '/access-tokens', { name: 'CI', scopes: ['*'] }],
      ['POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: 'whsec_x' } }],
      ['PATCH', '/credentials/x', { label: 'x' }],
      [
        'POST',
        '/auth/password',
        { currentPassword: 'a long enough password', newPassword: 'a heron counts seven reeds' },
      ],
      ['POST', '/auth/second-factor/recovery-codes', undefined],
      ['POST', '/auth/oidc/link', {}],
      ['DELETE', '/auth/oidc/identities/x', undefined],
      ['POST', '/ci/trust-rules', {}],
      ['DELETE', '/ci/trust-rules/x', undefined],
      ['POST', '/invitations', { email: 'ben@author.example', role: 'viewer' }],
      ['DELETE', '/invitations/x', undefined],
      ['PATCH', '/members/x', { role: 'viewer' }],
      ['DELETE', '/members/x', undefined],
      ['POST', '/tenant/exports', undefined],
      ['GET', '/tenant/exports/x/download', undefined],
      ['POST', '/tenant/deletion', {}],
    ])('is asked for before %s %s', async (method, path, body) => {
      const user = await guarded();
      world.clock.forward(15 * MINUTE);
      expect(await world.api.as({ cookie: user.cookie }).call(method, path, body)).toMatchObject(REQUIRED);
    });

    it('is not asked of scripts', async () => {
      const user = await guarded();
      const token = await world.given.token(user, ['credentials:write']);
      world.clock.forward(15 * MINUTE);
      const answer = await world.api.as({ token }).call('PATCH', '/credentials/x', { label: 'x' });
      expect(answer).toMatchObject(refused(404, 'credential_not_found'));
    });

    it('can have new recovery codes, after which the old ones do not work', async () => {
      const user = await guarded();
      const { recoveryCodes } = expectStatus(await post(user, '/recovery-codes'), 200).body;
      expect(recoveryCodes).toHaveLength(10);
      expect(await logIn(user, user.recoveryCodes[0])).toMatchObject(INVALID);
      expect((await logIn(user, recoveryCodes[0])).status).toBe(200);
    });

    it('is removed with the password and a code', async () => {
      const user = await guarded();
      const { password, cookie } = user;
      const disable = (body: object): Promise<Answer> => post({ cookie }, '/disable', body);
      expect(await disable({ password: 'a wrong password', code: await codeOf(user.secret) })).toMatchObject(
        refused(403, 'wrong_password'),
      );
      expect(await disable({ password, code: '000000' })).toMatchObject(INVALID);
      expectStatus(await disable({ password, code: user.recoveryCodes[0] }), 204);
      expect((await logIn(user)).status).toBe(200);
      for (const [path, body] of [
        ['/verify', { code: '000000' }],
        ['/confirm', { code: '000000' }],
        ['/recovery-codes', undefined],
      ] as const)
        expect(await post({ cookie }, path, body)).toMatchObject(refused(409, 'second_factor_missing'));
    });
  });
});
