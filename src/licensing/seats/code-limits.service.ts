import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { addressKey, RateLimits, type RareLimit } from '../../common/access/index.js';

const TEN_MINUTES = 600;

/** What stands between a guesser and a code, beside the limit of calls per address: counts per code, and of unknown codes per address (facts B3). */
@Injectable()
export class CodeLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** Before anything else. @throws RateLimited when the address is shut out */
  async admit(address: string): Promise<void> {
    await this.limits.admit(this.unknownCodes, addressKey(address));
  }

  /** Before a look-up that may change seats. @param digest of the code, so that no code is kept here either. @throws RateLimited */
  async byCode(asking: 'activate' | 'release', digest: Buffer): Promise<void> {
    const perMinute = this.config.rateLimitActivatePerCode;
    await this.limits.consume({ name: `${asking}-code`, perMinute }, digest.toString('base64url'));
  }

  /** After a code that is none. @throws RateLimited when the address has tried too many */
  async miss(address: string): Promise<void> {
    await this.limits.penalize(this.unknownCodes, addressKey(address));
  }

  private get unknownCodes(): RareLimit {
    return {
      name: 'unknown-codes',
      points: this.config.rateLimitUnknownCodesPerAddress,
      withinSeconds: TEN_MINUTES,
      shutOutSeconds: TEN_MINUTES,
    };
  }
}
