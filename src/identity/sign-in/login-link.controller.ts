import {
  Controller,
  Get,
  Header,
  HttpStatus,
  Post,
  Query,
  Redirect,
  Res,
  UseFilters,
  type HttpRedirectResponse,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { markup, OutsideApi, page, ReadsOwnBody } from '../../common/http/index.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import { LOGIN_LINK_PATH, LoginLinksService } from './login-links.service.js';
import { SignInPageFilter } from './sign-in-page.filter.js';

/** The page behind a log-in link. Only the button uses the link up, because chat programs open every link for a preview. */
const QUESTION = page('Log in', markup`<form method="post"><button>Log in</button></form>`);

/** The page on which a user logs in by a link of the operator. */
@ApiExcludeController()
@OutsideApi()
@Controller(LOGIN_LINK_PATH)
@UseFilters(SignInPageFilter)
export class LoginLinkController {
  private readonly home: string;

  constructor(
    private readonly links: LoginLinksService,
    private readonly cookie: SessionCookie,
    { publicUrl }: Config,
  ) {
    this.home = `${publicUrl}/`;
  }

  @Get()
  @Public('shows a button')
  @Header('content-type', 'text/html; charset=utf-8')
  ask(): string {
    return QUESTION;
  }

  @Post()
  @Redirect()
  @ReadsOwnBody()
  @Public('requires the secret of a link')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  async redeem(
    @Query('token') token: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpRedirectResponse> {
    const { secret } = await this.links.redeem(token);
    this.cookie.set(response, secret);
    return { url: this.home, statusCode: HttpStatus.SEE_OTHER };
  }
}
