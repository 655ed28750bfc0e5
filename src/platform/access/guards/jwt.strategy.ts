import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JwtModuleOptions } from '@nestjs/jwt';
import type { Request } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import type { Caller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { AccessTokensService, clientNameIn, type TokenClaims } from '../access-tokens/index.js';

const ALGORITHM = 'HS256';
const ISSUER = 'pierhead';
const AUDIENCE = 'pierhead-api';

/** Authenticates Bearer routes by a signed access token whose row still exists. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    { tokenSecret }: Config,
    private readonly tokens: AccessTokensService,
  ) {
    super({
      jwtFromRequest: bearerToken,
      // The types of passport-jwt lag behind jsonwebtoken, which takes key objects.
      secretOrKey: secretKeyOf(tokenSecret) as unknown as Buffer,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      // AccessTokensService checks expiry by the injected clock.
      ignoreExpiration: true,
      passReqToCallback: true,
    });
  }

  validate({ headers }: Request, claims: TokenClaims): Promise<Caller> {
    return this.tokens.callerOf(claims, clientNameIn(headers['user-agent']));
  }
}

/** Longer than any access token. */
const MAX_TOKEN_LENGTH = 2048;

/** The token of an `Authorization` header, in a time that its length limits; passport-jwt's own pattern takes the square of it. */
export function bearerToken({ headers: { authorization = '' } }: Pick<Request, 'headers'>): string | null {
  if (authorization.length > MAX_TOKEN_LENGTH) return null;
  const [scheme, token] = authorization.split(/[ \t]+/, 2);
  return scheme?.toLowerCase() === 'bearer' ? (token ?? null) : null;
}

/** Options for signing access tokens. */
export const signingOptions = ({ tokenSecret }: Config): JwtModuleOptions => ({
  secret: secretKeyOf(tokenSecret),
  signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE },
});

/** Makes a key object: given text, jsonwebtoken first tries to parse a public key, which takes ten times as long as verifying. */
const secretKeyOf = (tokenSecret: string): KeyObject => createSecretKey(tokenSecret, 'utf8');
