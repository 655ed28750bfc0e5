import { Body, Controller, Get, HttpCode, Ip, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { LimitedPerAddress, Public } from '../../../common/access/index.js';
import { OutsideApi, PageFilter, ReadsForm, sendPage } from '../../../common/http/index.js';
import { NeedsPasswordLogin, SessionCookie } from '../../accounts/index.js';
import { DecisionForm, SignInForm } from './cli-login.dto.js';
import { CliLoginPagesService, type CliLoginAnswer } from './cli-login-pages.service.js';
import { CLI_LOGIN_PATH } from './cli-logins.service.js';
import { OwnPagesGuard } from './own-pages.guard.js';

/** The pages on which a person approves or denies a log-in at a shell. */
@ApiExcludeController()
@OutsideApi()
@Controller(CLI_LOGIN_PATH)
@UseFilters(PageFilter)
@UseGuards(OwnPagesGuard)
export class CliLoginPageController {
  constructor(
    private readonly pages: CliLoginPagesService,
    private readonly cookie: SessionCookie,
  ) {}

  @ApiOperation({
    summary: 'Shows a log-in from a terminal to the person who is signed in, and a sign-in form to anyone else.',
  })
  @Get()
  @Public('shows a form, and a log-in only to a session')
  show(
    @Query('code') code: unknown,
    @Query('as') as: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.show(this.cookie.read(request), { code, as }).then((answer) => this.send(response, answer));
  }

  @ApiOperation({ summary: 'Signs a person in by password.' })
  @Post('sign-in')
  @HttpCode(200)
  @ReadsForm()
  @Public('callers authenticate here')
  @NeedsPasswordLogin()
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  signIn(@Body() form: SignInForm, @Ip() address: string, @Res() response: Response): Promise<void> {
    return this.pages.signIn(form, address).then((answer) => this.send(response, answer));
  }

  @ApiOperation({ summary: 'Approves or denies a log-in from a terminal.' })
  @Post()
  @HttpCode(200)
  @ReadsForm()
  @Public('requires a session, which a form from another site does not have')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  decide(@Body() form: DecisionForm, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.decide(this.cookie.read(request), form).then((answer) => this.send(response, answer));
  }

  private send(response: Response, { secret, ...answer }: CliLoginAnswer): void {
    if (secret !== undefined) this.cookie.set(response, secret);
    sendPage(response, answer);
  }
}
