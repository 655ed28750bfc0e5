import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../common/access/index.js';
import { markup, page, OutsideApi, ReadsOwnBody } from '../common/http/index.js';
import { Confirmations } from './confirmations.service.js';

/** The path of the page, without its slash. */
export const CONFIRMATION_PATH = 'notifications/confirm';

/** Where the link in a confirmation leads. Only the button uses the link up, since mail scanners open every link. */
const ASKED = page(
  'Confirm your address',
  markup`<p>Notifications about browser extensions are sent to your address once you confirm it.</p>
    <form method="post"><button>Confirm my address</button></form>`,
);
const CONFIRMED = page(
  'Your address is confirmed',
  markup`<p>Notifications are sent there from now on. You can close this page.</p>`,
);
const SPENT = page(
  'This link is no longer valid',
  markup`<p>A link works once, for 3 days. If your address is not confirmed yet, ask your team to send another one.</p>`,
);

/** The page on which the owner of a mailbox confirms it. */
@ApiExcludeController()
@OutsideApi()
@Controller(CONFIRMATION_PATH)
export class ConfirmationController {
  constructor(private readonly confirmations: Confirmations) {}

  @Get()
  @Public('shows a button')
  ask(@Res() response: Response): void {
    response.type('html').send(ASKED);
  }

  @Post()
  @HttpCode(200)
  @ReadsOwnBody()
  @Public('wants the secret of a link that was mailed')
  async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const isConfirmed = await this.confirmations.confirm(request.query['token'], request.ip ?? '');
    response
      .status(isConfirmed ? 200 : 410)
      .type('html')
      .send(isConfirmed ? CONFIRMED : SPENT);
  }
}
