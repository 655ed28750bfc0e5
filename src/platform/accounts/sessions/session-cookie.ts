import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../../common/config/index.js';
import { SESSION_IDLE_MS } from './session-lifetime.js';

const NAME = 'svc_session';
const SECRET = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** The cookie that carries a session's secret. */
@Injectable()
export class SessionCookie {
  private readonly options: CookieOptions;

  constructor({ isLocal }: Config) {
    this.options = { httpOnly: true, sameSite: 'lax', secure: !isLocal, path: '/' };
  }

  /** Returns the secret, or undefined when the request has no cookie of this form. */
  read({ headers }: Request): string | undefined {
    return SECRET.exec(headers.cookie ?? '')?.[1];
  }

  /** Sets the cookie for as long as the session lasts without use; by default, as long as a new one. */
  set(response: Response, secret: string, maxAge = SESSION_IDLE_MS): void {
    response.cookie(NAME, secret, { ...this.options, maxAge });
  }

  /** Removes the cookie from the browser. */
  clear(response: Response): void {
    response.clearCookie(NAME, this.options);
  }
}
