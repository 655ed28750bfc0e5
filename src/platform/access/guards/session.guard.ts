import { Injectable, type ExecutionContext, type OnApplicationShutdown } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Config } from '../../../common/config/index.js';
import { isFromOrigin } from '../../../common/http/index.js';
import { CrossOriginRefused, Unauthenticated } from '../../../common/problems/index.js';
import { registerStrategy } from './register-strategy.js';
import { SessionStrategy } from './session.strategy.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Admits requests with a valid session cookie; those that change something only from this service's own origin. */
@Injectable()
export class SessionGuard extends AuthGuard() implements OnApplicationShutdown {
  private readonly registered: string;

  constructor(
    strategy: SessionStrategy,
    private readonly config: Config,
  ) {
    const registered = registerStrategy(strategy);
    super({ defaultStrategy: registered });
    this.registered = registered;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.registered);
  }

  override handleRequest<Caller>(
    failure: unknown,
    caller: Caller | false,
    _info: unknown,
    context: ExecutionContext,
  ): Caller {
    if (failure) throw failure;
    if (caller === false) throw new Unauthenticated('Session');
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = this.config;
    if (!SAFE_METHODS.has(request.method) && !isFromOrigin(request, origin)) throw new CrossOriginRefused(origin);
    return caller;
  }
}
