import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Config } from '../config/index.js';
import { RateLimited, Throws } from '../problems/index.js';
import { addressKey, RateLimits } from './rate-limits.js';

const PER_ADDRESS = 'pierhead:per-address';

/** A setting that limits requests per minute from one address. */
type AddressSetting = Extract<keyof Config, `rateLimit${string}PerAddress`>;

interface PerAddress {
  readonly name: string;
  readonly setting: AddressSetting;
}

/** Limits the requests per address, before their body is read. Routes with the same name share a limit. */
export const LimitedPerAddress = (name: string, setting: AddressSetting): MethodDecorator =>
  applyDecorators(
    SetMetadata(PER_ADDRESS, { name, setting } satisfies PerAddress),
    UseGuards(PerAddressGuard),
    Throws(RateLimited),
  );

/** Applies `@LimitedPerAddress`. */
@Injectable()
export class PerAddressGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** @throws RateLimited */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { name, setting } = this.reflector.get<PerAddress>(PER_ADDRESS, context.getHandler());
    const { ip = '' } = context.switchToHttp().getRequest<Request>();
    await this.limits.consume({ name, perMinute: this.config[setting] }, addressKey(ip));
    return true;
  }
}
