import { Body, Controller, Get, HttpCode, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, LimitedPerAddress } from '../../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../../common/http/index.js';
import { BUYER_PAGES } from '../../branding/index.js';
import { BuyerPageFilter } from '../buyer-page.filter.js';
import { SameOriginGuard } from '../same-origin.guard.js';
import { BuyerSecret } from '../sign-in/index.js';
import { EnterForm } from '../buyer.dto.js';
import { InviteForm, JoinForm, OfLicenseForm, RemoveForm } from './buyer-team.dto.js';
import { BuyerTeamService } from './buyer-team.service.js';

/** Pages on which buyers share their licenses, and people join or leave them. */
@ApiExcludeController()
@OutsideApi()
@Controller(`${BUYER_PAGES}/team`)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class BuyerTeamController {
  constructor(private readonly team: BuyerTeamService) {}

  @ApiOperation({ summary: 'Invites a person, whose code is mailed to them.' })
  @Post('invite')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async invite(
    @BuyerSecret() secret: string | null,
    @Body() form: InviteForm,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(response, await this.team.invite(secret, form));
  }

  @ApiOperation({ summary: 'Removes a person and frees their seats.' })
  @Post('remove')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async remove(
    @BuyerSecret() secret: string | null,
    @Body() form: RemoveForm,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(response, await this.team.remove(secret, form));
  }

  @ApiOperation({ summary: 'Makes a link by which people join, and shows it.' })
  @Post('link')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async makeLink(
    @BuyerSecret() secret: string | null,
    @Body() form: OfLicenseForm,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(response, await this.team.makeLink(secret, form));
  }

  @ApiOperation({ summary: 'Takes a member off a license and frees their seats.' })
  @Post('leave')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async leave(
    @BuyerSecret() secret: string | null,
    @Body() form: OfLicenseForm,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(response, await this.team.leave(secret, form));
  }

  @ApiOperation({ summary: 'Asks who joins by a link.' })
  @Get('join')
  @Public('shows a form')
  async askToJoin(@Query() link: EnterForm, @Res() response: Response): Promise<void> {
    sendPage(response, await this.team.askToJoin(link));
  }

  @ApiOperation({ summary: 'Mails a code to who joins.' })
  @Post('join')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a link; the code goes to the mailbox')
  async join(@Body() form: JoinForm, @Res() response: Response): Promise<void> {
    sendPage(response, await this.team.join(form));
  }
}
