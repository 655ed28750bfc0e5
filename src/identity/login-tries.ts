import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { addressKey, RateLimits } from '../common/access/index.js';
import { heldMs, waitSeconds } from './login-delays.js';

const WITHIN_SECONDS = 15 * 60;
const HERE = { name: 'login-here', withinSeconds: WITHIN_SECONDS };
const EVERYWHERE = { name: 'login-everywhere', withinSeconds: WITHIN_SECONDS };
/** As many tries are free from all addresses together as from this many single ones. */
const ADDRESSES = 10;

/**
 * Slows down whoever guesses passwords. An address that fails for one user waits longer each time. Tries from everywhere are held for
 * a moment and then answered, so that nobody can lock a user out from elsewhere. A user who does not exist is treated alike.
 */
@Injectable()
export class LoginTries {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** Counts a try before it is made: tries that come at once count alike. @throws RateLimited */
  async begin(email: string, address: string): Promise<void> {
    const free = this.config.rateLimitLoginPerEmail;
    await this.waitHere(`${email} ${addressKey(address)}`, free);
    await pause(heldMs((await this.limits.count(EVERYWHERE, email)) - ADDRESSES * free));
  }

  /** Forgets the failures of a user who has logged in. */
  async succeeded(email: string, address: string): Promise<void> {
    await this.limits.forget(HERE, `${email} ${addressKey(address)}`);
    await this.limits.forget(EVERYWHERE, email);
  }

  private async waitHere(key: string, free: number): Promise<void> {
    const tries = await this.limits.count(HERE, key);
    if (tries < free) return;
    try {
      await this.limits.takeTurn('login-turn', key, waitSeconds(tries - free + 1));
    } catch (refused) {
      await this.limits.discount(HERE, key);
      throw refused;
    }
  }
}
