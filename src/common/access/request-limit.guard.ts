import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Config } from '../config/index.js';
import { RateLimited, Throws } from '../problems/index.js';
import { addressKey } from './address-key.js';
import { RateLimits } from './rate-limits.js';

const PER_ADDRESS = 'pierhead:per-address';

/** A setting that limits requests per minute from one address. */
type AddressSetting = Extract<keyof Config, `rateLimit${string}PerAddress`>;

interface PerAddress {
  readonly name: string;
  readonly setting: AddressSetting;
}

/** Limits the requests per address, before their body is read. Routes with the same name share a limit. */
export const LimitedPerAddress = (name: string, setting: AddressSetting): MethodDecorator =>
  applyDecorators(SetMetadata(PER_ADDRESS, { name, setting } satisfies PerAddress), Throws(RateLimited));

/** Applies `@LimitedPerAddress`. A global guard, so that it comes before the one that reads the body. */
@Injectable()
export class PerAddressGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** @throws RateLimited */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const limit = this.reflector.get<PerAddress | undefined>(PER_ADDRESS, context.getHandler());
    if (limit === undefined || this.config.rateLimits === 'off') return true;
    const { ip = '' } = context.switchToHttp().getRequest<Request>();
    return this.limits
      .consume({ name: limit.name, perMinute: this.config[limit.setting] }, addressKey(ip))
      .then(() => true);
  }
}
