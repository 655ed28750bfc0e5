import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Config } from '../config/index.js';
import { RateLimited, Throws } from '../problems/index.js';
import { callerOf } from './access.js';
import { addressKey } from './address-key.js';
import { RateLimits } from './rate-limits.js';

const REQUEST_LIMIT = 'pierhead:request-limit';

/** A setting that limits requests per minute from one address. */
type AddressSetting = Extract<keyof Config, `rateLimit${string}PerAddress`>;

/** A limit on a route's requests, and whose requests it counts together. */
interface RequestLimit {
  readonly name: string;
  readonly setting: AddressSetting | 'rateLimitHeavyPerTenant';
  readonly per: 'address' | 'tenant';
}

const limited = (limit: RequestLimit): MethodDecorator =>
  applyDecorators(SetMetadata(REQUEST_LIMIT, limit), Throws(RateLimited));

/** Limits the requests per address, before their body is read. Routes with the same name share a limit. */
export const LimitedPerAddress = (name: string, setting: AddressSetting): MethodDecorator =>
  limited({ name, setting, per: 'address' });

/** Limits the requests of a tenant, of whose routes with this mark each may work through thousands of rows. They share a limit. */
export const HeavyForTenant = (): MethodDecorator =>
  limited({ name: 'heavy', setting: 'rateLimitHeavyPerTenant', per: 'tenant' });

/** Applies the limits of routes. A global guard: after the one that knows the caller, and before the one that reads the body. */
@Injectable()
export class RequestLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const limit = this.reflector.get<RequestLimit | undefined>(REQUEST_LIMIT, context.getHandler());
    if (limit === undefined || this.config.rateLimits === 'off') return true;
    const { ip = '' } = context.switchToHttp().getRequest<Request>();
    const key = limit.per === 'address' ? addressKey(ip) : callerOf(context).tenantId;
    return this.limits.consume({ name: limit.name, perMinute: this.config[limit.setting] }, key).then(() => true);
  }
}
