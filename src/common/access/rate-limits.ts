import { isIPv6 } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Config } from '../config/index.js';
import { RateLimited } from '../problems/index.js';
import { DailyTally } from './daily-tally.js';

const WINDOW_SECONDS = 60;
/** A day and the hours around it that no clock is wrong by. */
const DAY_KEPT_SECONDS = 30 * 3600;
/** A Redis slower than this counts as lost. */
const REDIS_TIMEOUT_MS = 500;

/** A limit: how many in a minute, counted under a name. */
export interface RateLimit {
  readonly name: string;
  readonly perMinute: number;
}

/** A limit: how many within some seconds, counted under a name. */
interface SpanLimit {
  readonly name: string;
  readonly points: number;
  readonly withinSeconds: number;
}

/** A limit on what must stay rare, and how long a key that reaches it is shut out then. */
export interface RareLimit extends SpanLimit {
  readonly shutOutSeconds: number;
}

/** What is counted and never refused by itself: the caller decides what follows. */
export interface Tally {
  readonly name: string;
  readonly withinSeconds: number;
}

/** How many things a key may have on a UTC day, counted under a name. */
export interface DailyLimit {
  readonly name: string;
  readonly perDay: number;
}

/**
 * Counts what callers do, per key, in windows of a minute or as the limit says: in this process, or in Redis for all processes.
 * While Redis cannot be reached each process counts for itself, so that a limit never turns into an outage.
 */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  private readonly limiters = new Map<string, RateLimiterAbstract>();
  private readonly tallies = new Map<string, DailyTally>();
  private readonly redis: Redis | null;

  constructor(private readonly config: Config) {
    this.redis =
      config.redisUrl === undefined
        ? null
        : new Redis(config.redisUrl, {
            enableOfflineQueue: false,
            maxRetriesPerRequest: 1,
            commandTimeout: REDIS_TIMEOUT_MS,
          });
    // Failing over to memory is the answer to a lost Redis; without a listener ioredis prints every attempt.
    this.redis?.on('error', () => undefined);
  }

  /** @throws RateLimited when the key has used up its limit */
  async consume(limit: RateLimit | SpanLimit, key: string): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    try {
      await this.limiter(limit).consume(key);
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? refusal(refused) : refused;
    }
  }

  /** Says that the key is not shut out; counts nothing. @throws RateLimited */
  async admit(limit: RareLimit, key: string): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    const known = await this.limiter(limit).get(key);
    if (known !== null && known.consumedPoints > limit.points && known.msBeforeNext > 0) throw refusal(known);
  }

  /** Counts one of what must stay rare; the last that is allowed shuts the key out. @throws RateLimited beyond that */
  async penalize(limit: RareLimit, key: string): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    const limiter = this.limiter(limit);
    try {
      const { remainingPoints } = await limiter.consume(key);
      if (remainingPoints <= 0) await limiter.block(key, limit.shutOutSeconds);
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? refusal(refused) : refused;
    }
  }

  /** Counts one more for the key. @returns how many there have been, this one included; 0 while limits are off */
  async count(tally: Tally, key: string): Promise<number> {
    if (this.config.rateLimits === 'off') return 0;
    return (await this.limiter(tally).penalty(key)).consumedPoints;
  }

  /** Takes back one that was counted. */
  async discount(tally: Tally, key: string): Promise<void> {
    await this.limiter(tally).reward(key);
  }

  /** Forgets what was counted. */
  async forget(tally: Tally, key: string): Promise<void> {
    if (this.config.rateLimits === 'on') await this.limiter(tally).delete(key);
  }

  /** Lets this one through, and the next one of the key only after some seconds. @throws RateLimited for one that comes before */
  async takeTurn(name: string, key: string, seconds: number): Promise<void> {
    try {
      await this.limiter({ name, withinSeconds: seconds }).consume(key, 1, { customDuration: seconds });
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? refusal(refused) : refused;
    }
  }

  /**
   * Takes one of what a key may have on a day, without a word to the caller.
   * @param day UTC, such as 2030-01-31
   * @param key a digest, since it may be kept outside of this process
   * @returns false when the key has had all
   */
  async takeOfDay({ name, perDay }: DailyLimit, day: string, key: Buffer): Promise<boolean> {
    if (this.config.rateLimits === 'off') return true;
    if (this.redis === null) return this.tallyOf(name).take(day, key, perDay);
    try {
      const counter = dailyCounter(name, day, key);
      const taken = await this.redis.incr(counter);
      if (taken === 1) await this.redis.expire(counter, DAY_KEPT_SECONDS);
      if (taken > perDay) await this.redis.decr(counter);
      return taken <= perDay;
    } catch {
      return this.tallyOf(name).take(day, key, perDay);
    }
  }

  /** Gives back what was taken and not needed. */
  async giveBackOfDay({ name }: DailyLimit, day: string, key: Buffer): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    if (this.redis === null) this.tallyOf(name).giveBack(day, key);
    else await this.redis.decr(dailyCounter(name, day, key)).catch(() => this.tallyOf(name).giveBack(day, key));
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private tallyOf(name: string): DailyTally {
    const tally = this.tallies.get(name) ?? new DailyTally();
    this.tallies.set(name, tally);
    return tally;
  }

  private limiter(limit: RateLimit | SpanLimit | Tally): RateLimiterAbstract {
    const { name } = limit;
    const known = this.limiters.get(name);
    if (known !== undefined) return known;
    const window =
      'perMinute' in limit
        ? { points: limit.perMinute, duration: WINDOW_SECONDS }
        : { points: 'points' in limit ? limit.points : 1, duration: limit.withinSeconds };
    const memory = new RateLimiterMemory({ keyPrefix: name, ...window });
    const made =
      this.redis === null
        ? memory
        : new RateLimiterRedis({
            storeClient: this.redis,
            keyPrefix: `pierhead:${name}`,
            ...window,
            insuranceLimiter: memory,
          });
    this.limiters.set(name, made);
    return made;
  }
}

const refusal = ({ msBeforeNext }: RateLimiterRes): Error =>
  new RateLimited(Math.max(1, Math.ceil(msBeforeNext / 1000)));
const dailyCounter = (name: string, day: string, key: Buffer): string =>
  `pierhead:${name}:${day}:${key.toString('base64url')}`;

/** What an address is counted under: itself, or for IPv6 its /64, since one customer holds a whole one. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
