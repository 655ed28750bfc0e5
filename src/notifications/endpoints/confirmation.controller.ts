import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { markup, page, OutsideApi, ReadsOwnBody, sendPage, type PageAnswer } from '../../common/http/index.js';
import { CONFIRMATION_PATH, ConfirmationsService } from './confirmations.service.js';

/** The page behind a confirmation link. Only its button uses the link, because mail scanners open every link. */
const QUESTION = page(
  'Confirm your address',
  markup`<p>Pierhead sends notifications about browser extensions to your address once you confirm it.</p>
    <form method="post"><button>Confirm my address</button></form>`,
);
const CONFIRMED: PageAnswer = {
  page: page(
    'Your address is confirmed',
    markup`<p>From now on, you receive notifications there. You can close this page.</p>`,
  ),
};
const INVALID: PageAnswer = {
  status: 410,
  page: page(
    'This link is no longer valid',
    markup`<p>A link works once, within 3 days. If your address is not confirmed yet, ask your team to send another link.</p>`,
  ),
};

/** The page on which the owner of an e-mail address confirms it. */
@ApiExcludeController()
@OutsideApi()
@Controller(CONFIRMATION_PATH)
export class ConfirmationController {
  constructor(private readonly confirmations: ConfirmationsService) {}

  @ApiOperation({ summary: 'Shows the button that confirms an e-mail address.' })
  @Get()
  @Public('shows a button')
  ask(@Res() response: Response): void {
    sendPage(response, { page: QUESTION });
  }

  @ApiOperation({ summary: 'Confirms an e-mail address by the secret of a link.' })
  @Post()
  @HttpCode(200)
  @ReadsOwnBody()
  @Public('requires the secret of a mailed link')
  @LimitedPerAddress('confirm-address', 'rateLimitBuyerPerAddress')
  async confirm(@Query('token') token: unknown, @Res() response: Response): Promise<void> {
    sendPage(response, (await this.confirmations.confirm(token)) ? CONFIRMED : INVALID);
  }
}
