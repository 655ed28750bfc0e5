import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../common/config/index.js';
import { DAY_MS } from '../../common/system/index.js';

const NAME = 'gift_browser';
const SECRET = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`);

/** The secret of the browser; null when the request has no cookie of its form. */
export const BrowserSecret = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const { cookie = '' } = context.switchToHttp().getRequest<Request>().headers;
  return SECRET.exec(cookie)?.[1] ?? null;
});

/** The cookie by which a browser is recognized that used a link. It is lax, since links are opened from mails and other sites. */
@Injectable()
export class GiftCookie {
  private readonly options: CookieOptions;

  constructor({ isLocal, basePath }: Config) {
    this.options = { httpOnly: true, sameSite: 'lax', secure: !isLocal, path: `${basePath}/gift`, maxAge: DAY_MS };
  }

  set(response: Response, secret: string): void {
    response.cookie(NAME, secret, this.options);
  }
}
