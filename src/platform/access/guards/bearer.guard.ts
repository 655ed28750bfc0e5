import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import passport from 'passport';
import { Unauthenticated } from '../../../common/problems/index.js';
import { JwtStrategy } from './jwt.strategy.js';
import { registerStrategy } from './register-strategy.js';

/** Messages of passport-jwt and jsonwebtoken, by the reason that the caller gets; any other message means `unknown`. */
const REASONS: Readonly<Record<string, 'missing' | 'malformed'>> = {
  'No auth token': 'missing',
  'jwt malformed': 'malformed',
  'invalid token': 'malformed',
  'jwt signature is required': 'malformed',
};

/** Admits requests with a valid access token. */
@Injectable()
export class BearerGuard extends AuthGuard() implements OnApplicationShutdown {
  private readonly registered: string;

  constructor(strategy: JwtStrategy) {
    const registered = registerStrategy(strategy);
    super({ defaultStrategy: registered });
    this.registered = registered;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.registered);
  }

  /** @throws Unauthenticated with the reason */
  override handleRequest<Caller>(failure: unknown, caller: Caller | false, info: Error | undefined): Caller {
    if (failure) throw failure;
    if (caller === false) throw new Unauthenticated(REASONS[info?.message ?? ''] ?? 'unknown');
    return caller;
  }
}
