import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../../common/config/index.js';
import { buyerPathOf } from '../buyer-path.js';
import { BUYER_SESSION_LIFETIME_MS } from './buyer-sessions.service.js';

const NAME = 'buyer_session';
const SECRET = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`);

/** The cookie that carries the secret of a buyer's session. Requests from other sites do not carry it. */
@Injectable()
export class BuyerCookie {
  private readonly options: CookieOptions;

  constructor(config: Config) {
    this.options = { httpOnly: true, sameSite: 'strict', secure: !config.isLocal, path: buyerPathOf(config) };
  }

  /** Returns the secret, or null when the request has no cookie of this form. */
  read({ headers }: Request): string | null {
    return SECRET.exec(headers.cookie ?? '')?.[1] ?? null;
  }

  /** Sets the cookie for as long as a session lasts. */
  set(response: Response, secret: string): void {
    response.cookie(NAME, secret, { ...this.options, maxAge: BUYER_SESSION_LIFETIME_MS });
  }

  /** Removes the cookie from the browser. */
  clear(response: Response): void {
    response.clearCookie(NAME, this.options);
  }
}
