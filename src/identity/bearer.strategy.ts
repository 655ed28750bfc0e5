import { createSecretKey } from 'node:crypto';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import passportJwt from 'passport-jwt';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../common/access/index.js';
import { Config } from '../common/config/index.js';
import { newId } from '../common/ids/ids.js';
import { Unauthenticated } from '../common/problems/index.js';
import { AccessTokensService } from './access-tokens.service.js';

export const JWT_ALGORITHM = 'HS256';
export const JWT_ISSUER = 'pierhead';
export const JWT_AUDIENCE = 'pierhead-api';

/** Checks a Bearer token's signature, algorithm, issuer and audience, and then its row, which alone says until when it is good. */
@Injectable()
export class BearerStrategy extends PassportStrategy(passportJwt.Strategy) {
  /** Unique, because passport keeps the strategies of all applications of a process in one place. */
  readonly id = `bearer-${newId()}`;

  constructor(
    config: Config,
    private readonly tokens: AccessTokensService,
  ) {
    super({
      jwtFromRequest: passportJwt.ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: keyOf(config.tokenSecret),
      algorithms: [JWT_ALGORITHM],
      issuer: JWT_ISSUER,
      audience: JWT_AUDIENCE,
      // The row decides about expiry, by the clock that is injected.
      ignoreExpiration: true,
    });
    passport.use(this.id, this);
  }

  /** Called by passport with the claims of a token whose signature holds. */
  async validate(claims: { readonly jti?: unknown }): Promise<Caller | null> {
    return typeof claims.jti === 'string' && isUuid(claims.jti) ? this.tokens.callerOf(claims.jti) : null;
  }
}

/** Puts the token's owner on the request as its caller. */
@Injectable()
export class BearerGuard extends AuthGuard() {
  constructor({ id }: BearerStrategy) {
    super({ defaultStrategy: id, session: false, property: 'caller' });
  }

  override handleRequest<T>(error: unknown, caller: T | false | null, _info: unknown, _context: ExecutionContext): T {
    if (error instanceof Error) throw error;
    if (!caller) throw new Unauthenticated('Bearer');
    return caller;
  }
}

/** The secret as a key: given as text, jsonwebtoken tries first whether it is a public key, which takes ten times as long as all the rest. */
const keyOf = (secret: string): Buffer => createSecretKey(secret, 'utf8') as unknown as Buffer;
