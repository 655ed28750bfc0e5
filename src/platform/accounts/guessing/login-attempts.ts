import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../common/config/index.js';
import { addressKey, RateLimits } from '../../../common/access/index.js';
import { delayMs, waitSeconds } from './login-delays.js';

const WITHIN_SECONDS = 15 * 60;
const PER_ADDRESS = { name: 'login-here', withinSeconds: WITHIN_SECONDS };
const PER_USER = { name: 'login-everywhere', withinSeconds: WITHIN_SECONDS };
/** All addresses together have as many free attempts as this many addresses alone. */
const ADDRESSES = 10;

/**
 * Slows down password guessing. An address that fails for one user waits longer each time. Attempts from all addresses together are
 * delayed for a moment and then answered, so that nobody can lock out a user from elsewhere. Unknown users are treated the same way.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** Counts an attempt before it is made, so that simultaneous attempts count too. */
  async begin(email: string, address: string): Promise<void> {
    const free = this.config.rateLimitLoginPerEmail;
    await this.countPerAddress(`${email} ${addressKey(address)}`, free);
    await pause(delayMs((await this.limits.count(PER_USER, email)) - ADDRESSES * free));
  }

  /** Forgets the failed attempts of a user who has logged in. */
  async forget(email: string, address: string): Promise<void> {
    await this.limits.reset(PER_ADDRESS, `${email} ${addressKey(address)}`);
    await this.limits.reset(PER_USER, email);
  }

  private async countPerAddress(key: string, free: number): Promise<void> {
    const attempts = await this.limits.count(PER_ADDRESS, key);
    if (attempts < free) return;
    try {
      await this.limits.consumeOncePer('login-turn', key, waitSeconds(attempts - free + 1));
    } catch (refused) {
      await this.limits.uncount(PER_ADDRESS, key);
      throw refused;
    }
  }
}
