import { Injectable } from '@nestjs/common';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { addressKey, RateLimits, type LockoutLimit } from '../../common/access/index.js';

/** New devices that a license may seat within an hour, beyond those that it allows at once. */
const SPARE_DEVICES_PER_HOUR = 24;

/**
 * Prevents guessing of codes: limits requests per code, and unknown codes per device behind an address and, far above what an office of honest
 * people sends, per address. Calls per address are limited besides.
 * Prevents that one code passes through the hands of many.
 */
@Injectable()
export class CodeLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** Refuses a device that is locked out, alone or with its address. @param device its digest */
  async admit(address: string, device: Buffer): Promise<void> {
    await this.limits.admit(this.perAddress, addressKey(address));
    await this.limits.admit(this.perDevice, deviceKey(address, device));
  }

  /** Counts a request that may change seats. @param digest of the code: the limiter stores no code. */
  async countUse(asking: 'activate' | 'release', digest: Buffer): Promise<void> {
    const perMinute = this.config.rateLimitActivatePerCode;
    await this.limits.consume({ name: `${asking}-code`, perMinute }, digest.toString('base64url'));
  }

  /** Counts an unknown code. @throws RateLimited when the device or its address has tried too many */
  async countUnknown(address: string, device: Buffer): Promise<void> {
    // The address first: one that invents devices adds no counters once it is locked out.
    await this.limits.penalize(this.perAddress, addressKey(address));
    await this.limits.penalize(this.perDevice, deviceKey(address, device));
  }

  /** Refuses one more device for a license that has seated too many within the hour. */
  async admitDevice(license: CountedLicense): Promise<void> {
    await this.limits.admit(devicesOf(license), license.id);
  }

  /** Counts a device that was seated. @returns whether the license can seat no other within the hour */
  async countDevice(license: CountedLicense): Promise<boolean> {
    const limit = devicesOf(license);
    return (await this.limits.count(limit, license.id)) === limit.points + 1;
  }

  private get perAddress(): LockoutLimit {
    return unknownCodes('unknown-codes', this.config.rateLimitUnknownCodesPerAddress);
  }

  private get perDevice(): LockoutLimit {
    return unknownCodes('unknown-codes-of-device', this.config.rateLimitUnknownCodesPerDevice);
  }
}

const unknownCodes = (name: string, points: number): LockoutLimit => ({
  name,
  points,
  withinSeconds: 10 * MINUTE_SECONDS,
  lockoutSeconds: 10 * MINUTE_SECONDS,
});

interface CountedLicense {
  readonly id: string;
  readonly maxActivations: number;
}

/** Its count is admitted up to and including `points`. */
const devicesOf = ({ maxActivations }: CountedLicense): LockoutLimit => ({
  name: 'devices-of-license',
  points: maxActivations + SPARE_DEVICES_PER_HOUR - 1,
  withinSeconds: HOUR_SECONDS,
  lockoutSeconds: HOUR_SECONDS,
});

const deviceKey = (address: string, device: Buffer): string => `${addressKey(address)} ${device.toString('base64url')}`;
