import { createHash } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { completeConfig, readEnvironment } from '../config/index.js';
import { Problem } from '../problems/index.js';
import { connectRedis, RateLimits } from './rate-limits.js';

/** Limits whose connections end with their test. */
const made: RateLimits[] = [];
const LIMIT = { name: 'greetings', perMinute: 2 };

async function limitsWith(env: Readonly<Record<string, string>>): Promise<RateLimits> {
  const config = completeConfig(readEnvironment(env), { encryptionKeys: [], tokenSecret: '', codePeppers: [] });
  const limits = new RateLimits(config, await connectRedis(config));
  made.push(limits);
  return limits;
}

/** How often a key is let through before it is refused. */
async function letThrough(limits: RateLimits, key: string): Promise<number> {
  for (let times = 0; times < 10; times += 1) {
    const refused = await limits.consume(LIMIT, key).catch((error: unknown) => error);
    if (refused instanceof Problem) return times;
    if (refused !== undefined) throw refused;
  }
  return Infinity;
}

describe('a limit', () => {
  const open: (Server | Socket)[] = [];
  afterEach(() => {
    for (const limits of made.splice(0)) limits.onApplicationShutdown();
    for (const one of open.splice(0))
      if ('close' in one) one.close();
      else one.destroy();
  });

  it('admits each key up to its limit, and then reports how long to wait', async () => {
    const limits = await limitsWith({});
    expect(await letThrough(limits, 'one')).toBe(2);
    expect(await letThrough(limits, 'other')).toBe(2);
    const refused = await limits.consume(LIMIT, 'one').catch((error: unknown) => error);
    expect(refused).toMatchObject({ spec: { code: 'rate_limited', status: 429 } });
    const seconds = Number((refused as Problem).extras.headers?.['Retry-After']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect([...limits.refused]).toEqual([['greetings', 3]]);
  });

  it('counts each name separately', async () => {
    const limits = await limitsWith({});
    expect(await letThrough(limits, 'one')).toBe(2);
    await limits.consume({ name: 'partings', perMinute: 1 }, 'one');
  });

  it('on rare events blocks a key that reaches it, for its time, and not by checks alone', async () => {
    const rare = { name: 'misses', points: 2, withinSeconds: 5, lockoutSeconds: 600 };
    const limits = await limitsWith({});
    for (let asked = 0; asked < 5; asked += 1) await limits.admit(rare, 'one');
    await limits.penalize(rare, 'one');
    await limits.admit(rare, 'one');
    await limits.penalize(rare, 'one');
    for (const again of [() => limits.admit(rare, 'one'), () => limits.penalize(rare, 'one')]) {
      const refused: unknown = await again().catch((error: unknown) => error);
      expect(refused).toMatchObject({ spec: { code: 'rate_limited' } });
      expect(Number((refused as Problem).extras.headers?.['Retry-After'])).toBeGreaterThan(590);
    }
    await limits.admit(rare, 'other');
  });

  it('on rare events holds for simultaneous ones', async () => {
    const rare = { name: 'misses', points: 3, withinSeconds: 60, lockoutSeconds: 60 };
    const limits = await limitsWith({});
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => limits.penalize(rare, 'one')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('is lifted by RATE_LIMITS=off', async () => {
    expect(await letThrough(await limitsWith({ RATE_LIMITS: 'off' }), 'one')).toBe(Infinity);
  });

  it('is counted by this process alone while Redis is unreachable', async () => {
    const limits = await limitsWith({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await letThrough(limits, 'one')).toBe(2);
  });

  const ANSWERS = { info: '$12\r\nredis_mode:x\r\n', incr: '+QUEUED\r\n', expire: '+QUEUED\r\n' };
  const answerTo = (command: string): string => ANSWERS[nameOf(command) as keyof typeof ANSWERS] ?? '+OK\r\n';
  const nameOf = (command: string): string | undefined => command.split('\r\n')[2]?.toLowerCase();

  /** A Redis of the test. @param answer what it sends to a command; nothing when undefined */
  async function fakeRedis(answer: (command: string) => string | undefined): Promise<string> {
    const server = createServer((socket) => {
      open.push(socket);
      socket.on('data', (data: Buffer) => {
        // Several commands may come in one piece.
        for (const command of data.toString().split(/(?=\*\d+\r\n)/)) socket.write(answer(command) ?? '');
      });
    });
    open.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('is counted by this process alone when Redis stops answering', async () => {
    const asked: string[] = [];
    const REDIS_URL = await fakeRedis((command) => {
      asked.push(command);
      return command.startsWith('*') && !command.includes('pierhead:') ? answerTo(command) : undefined;
    });
    const limits = await limitsWith({ REDIS_URL });
    while (!asked.join('').includes('pierhead:')) {
      await limits.consume({ name: 'warm-up', perMinute: 1_000_000 }, 'anyone');
      await new Promise(setImmediate);
    }
    const tries = await Promise.allSettled(['one', 'one', 'one', 'other'].map((key) => limits.consume(LIMIT, key)));
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('of a day is counted by this process alone when Redis refuses to count', async () => {
    const executed: string[] = [];
    const REDIS_URL = await fakeRedis((command) => {
      if (nameOf(command) !== 'exec') return answerTo(command);
      executed.push(command);
      return '*2\r\n-WRONGTYPE Operation against a key holding the wrong kind of value\r\n:1\r\n';
    });
    const limits = await limitsWith({ REDIS_URL });
    const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
    const daily = (key: string): Promise<boolean> =>
      limits.consumeDaily({ name: 'installs', perDay: 2 }, '2026-11-24', digestOf(key));
    while (executed.length === 0) {
      await daily('warm-up');
      await new Promise(setImmediate);
    }
    expect([await daily('one'), await daily('one'), await daily('one'), await daily('other')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});
