import { Injectable } from '@nestjs/common';
import { MINUTE_SECONDS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { addressKey, RateLimits, type LockoutLimit } from '../../common/access/index.js';

/** Prevents guessing of codes: limits requests per code, and unknown codes per address. Calls per address are limited besides. */
@Injectable()
export class CodeLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** Refuses an address that is locked out. @throws RateLimited */
  async admit(address: string): Promise<void> {
    await this.limits.admit(this.unknownCodes, addressKey(address));
  }

  /** Counts a request that may change seats. @param digest of the code: the limiter stores no code. @throws RateLimited */
  async countUse(asking: 'activate' | 'release', digest: Buffer): Promise<void> {
    const perMinute = this.config.rateLimitActivatePerCode;
    await this.limits.consume({ name: `${asking}-code`, perMinute }, digest.toString('base64url'));
  }

  /** Counts an unknown code. @throws RateLimited when the address has tried too many */
  async countUnknown(address: string): Promise<void> {
    await this.limits.penalize(this.unknownCodes, addressKey(address));
  }

  private get unknownCodes(): LockoutLimit {
    return {
      name: 'unknown-codes',
      points: this.config.rateLimitUnknownCodesPerAddress,
      withinSeconds: 10 * MINUTE_SECONDS,
      lockoutSeconds: 10 * MINUTE_SECONDS,
    };
  }
}
