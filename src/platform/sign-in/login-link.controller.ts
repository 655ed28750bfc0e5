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
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { markup, OutsideApi, page, PageFilter, ReadsOwnBody } from '../../common/http/index.js';
import { SessionCookie } from '../accounts/index.js';
import type { NewSession } from './auth.service.js';
import { LOGIN_LINK_PATH, LoginLinksService } from './login-links.service.js';

/** The page behind a log-in link. Only its button uses the link, because chat programs open every link for a preview. */
const QUESTION = page(
  'Log in to Pierhead',
  markup`<p>The operator of this service made this link for you. It works once.</p>
    <form method="post"><button>Log in</button></form>`,
);

/** The page on which a user logs in by a link of the operator. */
@ApiExcludeController()
@OutsideApi()
@Controller(LOGIN_LINK_PATH)
@UseFilters(PageFilter)
export class LoginLinkController {
  constructor(
    private readonly links: LoginLinksService,
    private readonly cookie: SessionCookie,
    private readonly config: Config,
  ) {}

  @ApiOperation({ summary: 'Shows the button that logs a user in by a link of the operator.' })
  @Get()
  @Public('shows a button')
  @Header('content-type', 'text/html; charset=utf-8')
  ask(): string {
    return QUESTION;
  }

  @ApiOperation({ summary: 'Logs a user in by the secret of a link.' })
  @Post()
  @Redirect()
  @ReadsOwnBody()
  @Public('requires the secret of a link')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  async redeem(
    @Query('token') token: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpRedirectResponse> {
    return this.home(response, await this.links.redeem(token));
  }

  private home(response: Response, { secret }: NewSession): HttpRedirectResponse {
    this.cookie.set(response, secret);
    return { url: `${this.config.publicUrl}/`, statusCode: HttpStatus.SEE_OTHER };
  }
}
