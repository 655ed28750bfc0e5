import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';

const LOCAL_REDIS = 'redis://127.0.0.1:6379';
const LIMITS = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_LOGIN_PER_EMAIL: '3',
  RATE_LIMIT_LOGIN_PER_ADDRESS: '4',
  RATE_LIMIT_CI_PER_ADDRESS: '3',
  RATE_LIMIT_HEAVY_PER_TENANT: '2',
};

const MANY = { TRUST_PROXY: '1', RATE_LIMIT_LOGIN_PER_ADDRESS: '1000' };

const PASSWORD = 'a long enough password';
const newEmail = (): string => `${randomUUID()}@author.example`;
const newAddress = (): string => `203.0.113.${Math.floor(Math.random() * 250)}, 10.${[...randomBytes(3)].join('.')}`;
const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);

async function redisAnswers(): Promise<boolean> {
  const redis = new Redis(LOCAL_REDIS, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

const hasRedis = await redisAnswers();

/** Tries to log in several times, one after the other. */
async function tries(world: World, count: number, email: () => string, from: () => string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let time = 0; time < count; time += 1)
    answers.push(
      await world.api.post(
        '/auth/login',
        { email: email(), password: 'a wrong password' },
        { headers: { 'x-forwarded-for': from() } },
      ),
    );
  return answers;
}

describe('repeated log-ins', () => {
  let direct: World;
  let proxied: World;
  beforeAll(async () => {
    direct = await startWorld({ env: LIMITS });
    proxied = await startWorld({ with: direct, env: { ...LIMITS, TRUST_PROXY: '1' } });
  });
  afterAll(async () => {
    await proxied.close();
    await direct.close();
  });

  const logIn = (account: object, from: string): Promise<Answer> =>
    proxied.api.post('/auth/login', account, { headers: { 'x-forwarded-for': from } });
  const signedUp = async (): Promise<{ readonly email: string; readonly password: string }> => {
    const account = { email: newEmail(), password: PASSWORD };
    const headers = { 'x-forwarded-for': newAddress() };
    expectStatus(await proxied.api.post('/auth/signup', { ...account, tenantName: 'Author' }, { headers }), 201);
    return account;
  };

  it('for one e-mail address from one IP address must wait, in any spelling', async () => {
    const [email, from] = [newEmail(), newAddress()];
    const spellings = [email, email.toUpperCase(), ` ${email}`, email];
    const answers = await tries(
      proxied,
      4,
      () => spellings.shift() ?? '',
      () => from,
    );
    expect(statuses(answers)).toEqual([401, 401, 401, 429]);
    expect(answers[3]).toMatchObject({ body: { code: 'rate_limited' } });
    expect(answers[3]?.headers.get('retry-after')).toBe('1');
    expect(statuses(await tries(proxied, 1, newEmail, newAddress))).toEqual([401]);
  });

  it('must wait with the right password too, so that waiting reveals nothing', async () => {
    const [account, from] = [await signedUp(), newAddress()];
    await tries(
      proxied,
      3,
      () => account.email,
      () => from,
    );
    expect((await logIn(account, from)).status).toBe(429);
  });

  it('with tokens of CI jobs are limited per address', async () => {
    const headers = { 'x-forwarded-for': newAddress() };
    const exchange = () => proxied.api.post('/auth/ci', { token: 'none', tenantId: 'none' }, { headers });
    const answers = [await exchange(), await exchange(), await exchange(), await exchange()];
    expect(statuses(answers)).toEqual([401, 401, 401, 429]);
    expect((await proxied.api.post('/auth/ci', { token: 'none', tenantId: 'none' })).status).toBe(401);
  });

  it('are apart from the heavy work of a tenant, which is limited for all its callers and routes together', async () => {
    const [busy, other] = [await proxied.given.tenant(), await proxied.given.tenant()];
    const bulk = (): Promise<Answer> => proxied.api.as(busy).post('/licenses/bulk', {});
    const exported = ({ cookie }: { readonly cookie: string }, path: string): Promise<Answer> =>
      proxied.api.as({ cookie }).get(path);
    expect(statuses([await bulk(), await exported(busy, '/audit/export')])).toEqual([400, 200]);
    const refused = [await bulk(), await exported(busy, '/audit/export')];
    expect(statuses(refused)).toEqual([429, 429]);
    expect(refused[0]?.body.code).toBe('rate_limited');
    expect(statuses([await exported(busy, '/audit'), await exported(other, '/audit/export')])).toEqual([200, 200]);
  });

  it('are forgotten after a successful log-in', async () => {
    const [account, from] = [await signedUp(), newAddress()];
    await tries(
      proxied,
      2,
      () => account.email,
      () => from,
    );
    expect((await logIn(account, from)).status).toBe(200);
    expect(
      statuses(
        await tries(
          proxied,
          1,
          () => account.email,
          () => from,
        ),
      ),
    ).toEqual([401]);
  });

  it('count the same when they are simultaneous', async () => {
    const [patient, from] = [await startWorld({ with: direct, env: { ...LIMITS, ...MANY } }), newAddress()];
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        tries(
          patient,
          1,
          () => email,
          () => from,
        ),
      ),
    );
    expect(statuses(answers.flat()).filter((status) => status === 401)).toHaveLength(3);
    await patient.close();
  });

  it('from many addresses slow a user down without a lockout, the same for unknown users', async () => {
    const account = await signedUp();
    for (const email of [account.email, newEmail()]) {
      const guesses = await tries(proxied, 31, () => email, newAddress);
      expect(new Set(statuses(guesses))).toEqual(new Set([401]));
    }
    const begun = performance.now();
    expect((await logIn(account, newAddress())).status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(500);
  });

  it('from one address are limited across e-mail addresses, sign-up included', async () => {
    const from = newAddress();
    expect(statuses(await tries(proxied, 5, newEmail, () => from))).toEqual([401, 401, 401, 401, 429]);
    const signup = { email: newEmail(), password: 'a long enough password', tenantName: 'Author' };
    const refused = await proxied.api.post('/auth/signup', signup, { headers: { 'x-forwarded-for': from } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  it.each([
    ['/auth/password', { currentPassword: PASSWORD, newPassword: 'password123' }],
    ['/auth/second-factor', { password: PASSWORD }],
    ['/auth/second-factor/disable', { password: PASSWORD, code: '000000' }],
    ['/tenant/deletion', { password: PASSWORD, tenantName: 'Another' }],
  ])('are limited per address together with checks of the right password at %s', async (path, body) => {
    const account = await signedUp();
    const cookie = (await logIn(account, newAddress())).headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { 'x-forwarded-for': newAddress() };
    for (let time = 0; time < 4; time += 1)
      expect((await proxied.api.as({ cookie }).post(path, body, { headers })).status).not.toBe(429);
    expect((await proxied.api.as({ cookie }).post(path, body, { headers })).body.code).toBe('rate_limited');
  });

  it('that end in requests to delete a tenant flood no owner with mails about it', async () => {
    const account = await signedUp();
    const cookie = (await logIn(account, newAddress())).headers.get('set-cookie')?.split(';')[0] ?? '';
    const body = { password: account.password, tenantName: 'Author' };
    const request = (): Promise<Answer> =>
      proxied.api.as({ cookie }).post('/tenant/deletion', body, { headers: { 'x-forwarded-for': newAddress() } });
    for (let time = 0; time < 3; time += 1) {
      expectStatus(await request(), 201);
      expectStatus(await proxied.api.as({ cookie }).delete('/tenant/deletion'), 204);
    }
    expect((await request()).body.code).toBe('rate_limited');
  });

  it('are limited per IPv6 network', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}`;
    let host = 0;
    const inNetwork = () => `${network}:1::${(host += 1)}`;
    expect(statuses(await tries(proxied, 5, newEmail, inNetwork))).toEqual([401, 401, 401, 401, 429]);
    expect(statuses(await tries(proxied, 1, newEmail, () => `${network}:2::1`))).toEqual([401]);
  });

  it('are counted by the address that the proxy saw, not by one that the client claims', async () => {
    const seen = newAddress();
    const answers = await tries(proxied, 5, newEmail, () => `${newAddress()}, ${seen}`);
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429]);
  });

  it('are counted by the socket address when no proxy is trusted', async () => {
    const answers = await tries(direct, 5, newEmail, newAddress);
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429]);
  });

  (hasRedis ? it : it.skip)('is counted by all processes together in Redis', async () => {
    const env = { ...LIMITS, TRUST_PROXY: '1', REDIS_URL: LOCAL_REDIS };
    const one = await startWorld({ with: direct, env });
    const other = await startWorld({ with: direct, env });
    const [email, from] = [newEmail(), newAddress()];
    const first = await tries(
      one,
      2,
      () => email,
      () => from,
    );
    const second = await tries(
      other,
      2,
      () => email,
      () => from,
    );
    expect(statuses([...first, ...second])).toEqual([401, 401, 401, 429]);
    await one.close();
    await other.close();
  });
});
