import { Body, Controller, Get, HttpCode, Post, Query, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../../../common/http/index.js';
import { NeedsPasswordLogin } from '../password-login.guard.js';
import { PasswordResetsService, RESET_PAGE_PATH } from './password-resets.service.js';
import { ResetPassword } from '../passwords.dto.js';
import { ResetPageFilter } from './reset-page.filter.js';
import { RESET_DONE, resetPage } from './reset-page.js';

/** The page that a link for a new password opens. Nobody is logged in there, so a form from another site could do nothing with it. */
@ApiExcludeController()
@OutsideApi()
@Controller(RESET_PAGE_PATH)
@UseFilters(ResetPageFilter)
export class ResetPageController {
  constructor(private readonly resets: PasswordResetsService) {}

  @ApiOperation({ summary: 'Asks for a new password; opening the page does not use the link.' })
  @Get()
  @Public('shows a form')
  ask(@Query('token') token: unknown, @Res() response: Response): void {
    sendPage(response, { page: resetPage(typeof token === 'string' ? token.slice(0, 100) : '') });
  }

  @ApiOperation({ summary: 'Sets a new password by the secret of a link.' })
  @Post()
  @HttpCode(200)
  @ReadsForm()
  @Public('requires the secret of a mailed link')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @NeedsPasswordLogin()
  reset(@Body() form: ResetPassword, @Res() response: Response): Promise<void> {
    return this.resets.reset(form).then(() => sendPage(response, { page: RESET_DONE }));
  }
}
