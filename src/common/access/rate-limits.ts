import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Config } from '../config/index.js';
import { RateLimited } from '../problems/index.js';
import { DailyTally } from './daily-tally.js';

const WINDOW_SECONDS = 60;
/** A day, and a few hours since clocks differ. */
const DAY_KEPT_SECONDS = 30 * 3600;
/** Redis counts as unreachable when an answer takes longer. */
const REDIS_TIMEOUT_MS = 500;

/** Redis, which counts for all processes together; null where none is set. */
export const REDIS = Symbol('Redis');

/** Connects to Redis where one is set; its client is loaded only then. */
export async function connectRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Redis | null> {
  if (redisUrl === undefined) return null;
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: REDIS_TIMEOUT_MS,
  });
  // Memory takes over while Redis is unreachable; without a listener, ioredis prints every attempt.
  return redis.on('error', () => undefined);
}

/** A limit per minute, counted under a name. */
export interface RateLimit {
  readonly name: string;
  readonly perMinute: number;
}

/** A limit per span of seconds, counted under a name. */
interface SpanLimit {
  readonly name: string;
  readonly points: number;
  readonly withinSeconds: number;
}

/** A limit on rare events, and how long a key that reaches it is blocked. */
export interface LockoutLimit extends SpanLimit {
  readonly lockoutSeconds: number;
}

/** A count without a limit: the caller decides what follows. */
export interface Tally {
  readonly name: string;
  readonly withinSeconds: number;
}

/** A limit per UTC day, counted under a name. */
export interface DailyLimit {
  readonly name: string;
  readonly perDay: number;
}

/**
 * Counts requests per key, in windows of a minute or as the limit says: in this process, or in Redis for all processes together.
 * While Redis is unreachable, each process counts for itself, so that a limit never becomes an outage.
 */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  /** Number of requests that each limit has refused, by its name. */
  readonly refused = new Map<string, number>();
  private readonly limiters = new Map<string, RateLimiterAbstract>();
  private readonly tallies = new Map<string, DailyTally>();

  constructor(
    private readonly config: Config,
    @Inject(REDIS) private readonly redis: Redis | null,
  ) {}

  /** Counts one for the key, or several. @throws RateLimited when the limit is reached */
  async consume(limit: RateLimit | SpanLimit, key: string, count = 1): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    try {
      await this.limiter(limit).consume(key, count);
    } catch (refused) {
      throw this.asProblem(limit.name, refused);
    }
  }

  /** Checks that the key is not blocked; counts nothing. */
  async admit(limit: LockoutLimit, key: string): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    const known = await this.limiter(limit).get(key);
    if (known !== null && known.consumedPoints > limit.points && known.msBeforeNext > 0)
      throw this.asProblem(limit.name, known);
  }

  /** Counts one rare event; the last one allowed blocks the key. @throws RateLimited beyond that */
  async penalize(limit: LockoutLimit, key: string): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    const limiter = this.limiter(limit);
    try {
      const { remainingPoints } = await limiter.consume(key);
      if (remainingPoints <= 0) await limiter.block(key, limit.lockoutSeconds);
    } catch (refused) {
      throw this.asProblem(limit.name, refused);
    }
  }

  /** Counts one for the key. @returns the count, this one included; 0 while limits are off */
  async count(tally: Tally, key: string): Promise<number> {
    if (this.config.rateLimits === 'off') return 0;
    return (await this.limiter(tally).penalty(key)).consumedPoints;
  }

  /** Subtracts one from the count of the key. */
  async uncount(tally: Tally, key: string): Promise<void> {
    await this.limiter(tally).reward(key);
  }

  /** Sets the count of the key to 0. */
  async reset(tally: Tally, key: string): Promise<void> {
    if (this.config.rateLimits === 'on') await this.limiter(tally).delete(key);
  }

  /** Admits one request of the key every `seconds` seconds. */
  async consumeOncePer(name: string, key: string, seconds: number): Promise<void> {
    try {
      await this.limiter({ name, withinSeconds: seconds }).consume(key, 1, { customDuration: seconds });
    } catch (refused) {
      throw this.asProblem(name, refused);
    }
  }

  /**
   * Counts one for a key on a day, without refusing the request.
   * @param day UTC, such as 2030-01-31
   * @param key a digest, since Redis may store it
   * @returns false when the limit is reached
   */
  async consumeDaily({ name, perDay }: DailyLimit, day: string, key: Buffer): Promise<boolean> {
    if (this.config.rateLimits === 'off') return true;
    if (this.redis === null) return this.tallyOf(name).take(day, key, perDay);
    try {
      const counter = dailyCounter(name, day, key);
      // One transaction: a counter without an end would refuse its key forever.
      const replies = await this.redis.multi().incr(counter).expire(counter, DAY_KEPT_SECONDS).exec();
      const taken = countIn(replies);
      if (taken > perDay) await this.redis.decr(counter);
      return taken <= perDay;
    } catch {
      return this.tallyOf(name).take(day, key, perDay);
    }
  }

  /** Subtracts one that `consumeDaily` counted. */
  async refundDaily({ name }: DailyLimit, day: string, key: Buffer): Promise<void> {
    if (this.config.rateLimits === 'off') return;
    if (this.redis === null) this.tallyOf(name).undo(day, key);
    else await this.redis.decr(dailyCounter(name, day, key)).catch(() => this.tallyOf(name).undo(day, key));
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Counts a refusal of a limiter and makes it a problem; whatever else was thrown stays as it is. */
  private asProblem(name: string, thrown: unknown): unknown {
    if (!(thrown instanceof RateLimiterRes)) return thrown;
    this.refused.set(name, (this.refused.get(name) ?? 0) + 1);
    return new RateLimited(Math.max(1, Math.ceil(thrown.msBeforeNext / 1000)));
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

/** The reply of the first command of a transaction. @throws Error when a command failed, which Redis does not make fail the others */
function countIn(replies: [error: Error | null, result: unknown][] | null): number {
  const failed = replies?.find(([error]) => error !== null)?.[0];
  if (failed) throw failed;
  const count = replies?.[0]?.[1];
  if (typeof count !== 'number') throw new Error('Redis answered without a count');
  return count;
}

const dailyCounter = (name: string, day: string, key: Buffer): string =>
  `pierhead:${name}:${day}:${key.toString('base64url')}`;
