import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/index.js';
import { markup, page, OutsideApi, ReadsOwnBody } from '../../common/http/index.js';
import { ConfirmationsService } from './confirmations.service.js';

/** The path of the page, without the leading slash. */
export const CONFIRMATION_PATH = 'notifications/confirm';

/** The page behind a confirmation link. Only the button uses the link up, because mail scanners open every link. */
const QUESTION = page(
  'Confirm your address',
  markup`<p>Pierhead sends notifications about browser extensions to your address once you confirm it.</p>
    <form method="post"><button>Confirm my address</button></form>`,
);
const CONFIRMED = page(
  'Your address is confirmed',
  markup`<p>From now on, you receive notifications there. You can close this page.</p>`,
);
const INVALID = page(
  'This link is no longer valid',
  markup`<p>A link works once, within 3 days. If your address is not confirmed yet, ask your team to send another link.</p>`,
);

/** The page on which the owner of an e-mail address confirms it. */
@ApiExcludeController()
@OutsideApi()
@Controller(CONFIRMATION_PATH)
export class ConfirmationController {
  constructor(private readonly confirmations: ConfirmationsService) {}

  @Get()
  @Public('shows a button')
  ask(@Res() response: Response): void {
    response.type('html').send(QUESTION);
  }

  @Post()
  @HttpCode(200)
  @ReadsOwnBody()
  @Public('requires the secret of a mailed link')
  async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const isConfirmed = await this.confirmations.confirm(request.query['token'], request.ip ?? '');
    response
      .status(isConfirmed ? 200 : 410)
      .type('html')
      .send(isConfirmed ? CONFIRMED : INVALID);
  }
}
