import { Body, Controller, Get, HttpCode, Ip, Post, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { OutsideApi, PageFilter, ReadsForm, sendPage } from '../../../common/http/index.js';
import { NeedsPasswordLogin } from '../passwords/index.js';
import { askPage, joinedPage, offerPage } from './invitation-page.js';
import { AcceptInvitation, InvitationToken } from './invitations.dto.js';
import { INVITATION_PATH, InvitationsService } from './invitations.service.js';

/** The page that an invitation's link opens. Nobody is logged in there, so a form from another site could do nothing with it. */
@ApiExcludeController()
@OutsideApi()
@Controller(INVITATION_PATH)
@UseFilters(PageFilter)
export class InvitationPageController {
  private readonly home: string;

  constructor(
    { basePath }: Config,
    private readonly invitations: InvitationsService,
  ) {
    this.home = `${basePath}/${INVITATION_PATH}`;
  }

  @ApiOperation({ summary: "Takes an invitation's secret from the link; opening the page does not use it." })
  @Get()
  @Public('shows a form')
  ask(@Res() response: Response): void {
    sendPage(response, askPage(this.home));
  }

  @ApiOperation({ summary: 'Shows what an invitation offers, and asks for a password.' })
  @Post()
  @HttpCode(200)
  @ReadsForm()
  @Public("requires the secret of an invitation's link")
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  show(@Body() { token }: InvitationToken, @Res() response: Response): Promise<void> {
    return this.invitations
      .show(token)
      .then((offer) => sendPage(response, { page: offerPage(this.home, token, offer) }));
  }

  @ApiOperation({ summary: 'Accepts an invitation with a password.' })
  @Post('accept')
  @HttpCode(200)
  @ReadsForm()
  @Public("requires the secret of an invitation's link, and a password")
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @NeedsPasswordLogin()
  accept(@Body() form: AcceptInvitation, @Ip() address: string, @Res() response: Response): Promise<void> {
    return this.invitations.accept(form, address).then((joined) => sendPage(response, { page: joinedPage(joined) }));
  }
}
