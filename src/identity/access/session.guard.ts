import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Config } from '../../common/config/index.js';
import { isFromOrigin } from '../../common/http/index.js';
import { CrossOriginRefused, Unauthenticated } from '../../common/problems/index.js';
import { registerStrategy } from './register-strategy.js';
import { SessionStrategy } from './session.strategy.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Admits requests with a valid session cookie; those that change something only from this service's own origin. */
@Injectable()
export class SessionGuard extends AuthGuard() {
  /** The configured origin, since a sender can forge the `Host` header. */
  private readonly origin: string;

  constructor(strategy: SessionStrategy, config: Config) {
    super({ defaultStrategy: registerStrategy(strategy) });
    this.origin = new URL(config.publicUrl).origin;
  }

  /** @throws Unauthenticated, CrossOriginRefused */
  override handleRequest<Caller>(
    failure: unknown,
    caller: Caller | false,
    _info: unknown,
    context: ExecutionContext,
  ): Caller {
    if (failure) throw failure;
    if (caller === false) throw new Unauthenticated('Session');
    const request = context.switchToHttp().getRequest<Request>();
    if (!SAFE_METHODS.has(request.method) && !isFromOrigin(request, this.origin))
      throw new CrossOriginRefused(this.origin);
    return caller;
  }
}
