import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { markup, page, OutsideApi, ReadsOwnBody, sendPage, type PageAnswer } from '../../common/http/index.js';
import { UNSUBSCRIBE_PATH } from '../deliveries/index.js';
import { UnsubscriptionsService } from './unsubscriptions.service.js';

/** The page behind the link of a mail. Only its button, or the button of a mail program, stops mails, because mail scanners open every link. */
const QUESTION = page(
  'Stop these notifications',
  markup`<p>Pierhead then sends no more notifications to your address. Your team can ask you again.</p>
    <form method="post"><button>Stop notifications to my address</button></form>`,
);
const STOPPED: PageAnswer = {
  page: page('You receive no more notifications', markup`<p>You can close this page.</p>`),
};
const INVALID: PageAnswer = {
  status: 410,
  page: page(
    'This link is no longer valid',
    markup`<p>The notifications go to another address by now, or have been deleted.</p>`,
  ),
};

/** The page on which the owner of an e-mail address stops notifications, and the target of one-click unsubscription (RFC 8058). */
@ApiExcludeController()
@OutsideApi()
@Controller(UNSUBSCRIBE_PATH)
export class UnsubscribeController {
  constructor(private readonly unsubscriptions: UnsubscriptionsService) {}

  @ApiOperation({ summary: 'Shows the button that stops notifications to an e-mail address.' })
  @Get()
  @Public('shows a button')
  ask(@Res() response: Response): void {
    sendPage(response, { page: QUESTION });
  }

  @ApiOperation({ summary: 'Stops notifications to an e-mail address by the token of a mailed link.' })
  @Post()
  @HttpCode(200)
  @ReadsOwnBody()
  @Public('requires the token of a mailed link')
  @LimitedPerAddress('unsubscribe', 'rateLimitBuyerPerAddress')
  async stop(@Query('token') token: unknown, @Res() response: Response): Promise<void> {
    sendPage(response, (await this.unsubscriptions.stop(token)) ? STOPPED : INVALID);
  }
}
