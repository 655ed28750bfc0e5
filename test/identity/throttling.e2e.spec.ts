import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';

const LOCAL_REDIS = 'redis://127.0.0.1:6379';
const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_LOGIN_PER_EMAIL: '3', RATE_LIMIT_LOGIN_PER_ADDRESS: '4' };

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

describe('logging in again and again', () => {
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

  it('with one e-mail is stopped for a while, whatever its spelling and wherever it comes from', async () => {
    const email = newEmail();
    const spellings = [email, email.toUpperCase(), ` ${email}`, email];
    const answers = await tries(proxied, 4, () => spellings.shift() ?? '', newAddress);
    expect(statuses(answers)).toEqual([401, 401, 401, 429]);
    expect(answers[3]?.body.code).toBe('rate_limited');
    const seconds = Number(answers[3]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(statuses(await tries(proxied, 1, newEmail, newAddress))).toEqual([401]);
  });

  it('is stopped with the right password too, so that a guess is not told from a miss', async () => {
    const email = newEmail();
    const headers = { 'x-forwarded-for': newAddress() };
    const account = { email, password: 'a long enough password' };
    await proxied.api.post('/auth/signup', { ...account, tenantName: 'Author' }, { headers });
    await tries(proxied, 3, () => email, newAddress);
    expect((await proxied.api.post('/auth/login', account, { headers })).status).toBe(429);
  });

  it('from one address is stopped for any e-mail, sign-up included', async () => {
    const from = newAddress();
    expect(statuses(await tries(proxied, 5, newEmail, () => from))).toEqual([401, 401, 401, 401, 429]);
    const signup = { email: newEmail(), password: 'a long enough password', tenantName: 'Author' };
    const refused = await proxied.api.post('/auth/signup', signup, { headers: { 'x-forwarded-for': from } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  it('from one IPv6 network is stopped, and from the next one is not', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}`;
    let host = 0;
    const inNetwork = () => `${network}:1::${(host += 1)}`;
    expect(statuses(await tries(proxied, 5, newEmail, inNetwork))).toEqual([401, 401, 401, 401, 429]);
    expect(statuses(await tries(proxied, 1, newEmail, () => `${network}:2::1`))).toEqual([401]);
  });

  it('is not hidden by an address that the client wrote in front of the one its proxy saw', async () => {
    const seen = newAddress();
    const answers = await tries(proxied, 5, newEmail, () => `${newAddress()}, ${seen}`);
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429]);
  });

  it('is not hidden by any forwarded address where no proxy is trusted', async () => {
    const answers = await tries(direct, 5, newEmail, newAddress);
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429]);
  });

  (hasRedis ? it : it.skip)('is counted by all processes together in Redis', async () => {
    const env = { ...LIMITS, TRUST_PROXY: '1', REDIS_URL: LOCAL_REDIS };
    const one = await startWorld({ with: direct, env });
    const other = await startWorld({ with: direct, env });
    const email = newEmail();
    const first = await tries(one, 2, () => email, newAddress);
    const second = await tries(other, 3, () => email, newAddress);
    expect(statuses([...first, ...second])).toEqual([401, 401, 401, 429, 429]);
    await one.close();
    await other.close();
  });
});
