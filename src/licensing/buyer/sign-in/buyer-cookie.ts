import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../../common/config/index.js';
import { BUYER_SESSION_LIFETIME_MS } from './buyer-sessions.service.js';

const NAME = 'buyer_session';
const SECRET = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`);

/** The secret of the buyer's session; null when the request has no cookie of its form. */
export const BuyerSecret = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const { cookie = '' } = context.switchToHttp().getRequest<Request>().headers;
  return SECRET.exec(cookie)?.[1] ?? null;
});

/** The cookie that carries the secret of a buyer's session. Requests from other sites do not carry it. */
@Injectable()
export class BuyerCookie {
  private readonly options: CookieOptions;

  constructor({ isLocal, basePath }: Config) {
    this.options = { httpOnly: true, sameSite: 'strict', secure: !isLocal, path: `${basePath}/buyer` };
  }

  /** Sets the cookie for as long as a session lasts; null removes it from the browser. */
  set(response: Response, secret: string | null): void {
    if (secret === null) response.clearCookie(NAME, this.options);
    else response.cookie(NAME, secret, { ...this.options, maxAge: BUYER_SESSION_LIFETIME_MS });
  }
}
