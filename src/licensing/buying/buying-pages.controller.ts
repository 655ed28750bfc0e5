import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { ACTIVATIONS, BUYER_PAGES } from '../branding/index.js';
import {
  type BuyerAnswer,
  BuyerCookie,
  BuyerPageFilter,
  EnterForm,
  SameOriginGuard,
  SellerQuery,
} from '../buyer/index.js';
import { BuyingPagesService } from './buying-pages.service.js';

/** Pages to which a checkout and a mailed link lead, from which the buyer goes back to the extension. */
@ApiExcludeController()
@OutsideApi()
@Controller(BUYER_PAGES)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class BuyingPagesController {
  constructor(
    private readonly pages: BuyingPagesService,
    private readonly cookie: BuyerCookie,
  ) {}

  @ApiOperation({ summary: 'Sends a buyer back to the extension after a payment.' })
  @Get('thanks')
  @Public('the same page for everybody')
  async thanks(@Query() query: SellerQuery, @Res() response: Response): Promise<void> {
    this.send(response, await this.pages.thanks(query));
  }

  @ApiOperation({ summary: 'Lets an extension take the code of a mail, which is in the fragment of the link.' })
  @Get(`${ACTIVATIONS}/:extensionId`)
  @Public('the same page for everybody')
  async activate(@Param('extensionId') extensionId: string, @Res() response: Response): Promise<void> {
    this.send(response, await this.pages.activate(extensionId));
  }

  @ApiOperation({ summary: 'Shows the button that uses a link: mail scanners open every link.' })
  @Get('restore')
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async show(@Query() link: EnterForm, @Res() response: Response): Promise<void> {
    this.send(response, await this.pages.show(link));
  }

  @ApiOperation({ summary: 'Uses a link: gives a device a license, and begins a session of its buyer.' })
  @Post('restore')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async use(@Body() form: EnterForm, @Res() response: Response): Promise<void> {
    this.send(response, await this.pages.use(form));
  }

  private send(response: Response, { secret, ...answer }: BuyerAnswer): void {
    if (secret !== undefined) this.cookie.set(response, secret);
    sendPage(response, answer);
  }
}
