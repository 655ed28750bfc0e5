import { Body, Controller, Get, HttpCode, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { BrandingService, BUYER_PAGES } from '../branding/index.js';
import {
  BuyerCookie,
  BuyerLinkSpent,
  BuyerPageFilter,
  BuyerSessionsService,
  EnterForm,
  SameOriginGuard,
  SellerQuery,
} from '../buyer/index.js';
import { allowedPage, allowPage, thanksPage } from './buying-pages.js';
import type { Restore } from './restore-mails.service.js';
import { RestoresService } from './restores.service.js';

/** Pages to which a checkout and a mailed link lead, from which the buyer goes back to the extension. */
@ApiExcludeController()
@OutsideApi()
@Controller(BUYER_PAGES)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class BuyingPagesController {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly restores: RestoresService,
    private readonly sessions: BuyerSessionsService,
    private readonly cookie: BuyerCookie,
    private readonly branding: BrandingService,
  ) {
    this.home = `${config.basePath}/${BUYER_PAGES}`;
  }

  @ApiOperation({ summary: 'Sends a buyer back to the extension after a payment.' })
  @Get('thanks')
  @Public('the same page for everybody')
  async thanks(@Query() { seller }: SellerQuery, @Res() response: Response): Promise<void> {
    const brand = seller === '' ? this.branding.onlyBrand() : this.branding.brandOf(uuidOrNil(seller));
    sendPage(response, thanksPage(await brand));
  }

  @ApiOperation({ summary: 'Shows the button that uses a link: mail scanners open every link.' })
  @Get('restore')
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async show(@Query() { token }: EnterForm, @Res() response: Response): Promise<void> {
    const restore = found(await this.restores.find(token));
    sendPage(response, allowPage(this.home, token, restore, await this.branding.brandOf(restore.tenantId)));
  }

  @ApiOperation({ summary: 'Uses a link: gives a device a license, and begins a session of its buyer.' })
  @Post('restore')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async use(@Body() { token }: EnterForm, @Res() response: Response): Promise<void> {
    const restore = found(await this.restores.use(token));
    this.cookie.set(response, await this.sessions.begin(restore.email));
    sendPage(response, allowedPage(this.home, restore, await this.branding.brandOf(restore.tenantId)));
  }
}

function found(restore: Restore | null): Restore {
  if (restore === null) throw new BuyerLinkSpent();
  return restore;
}
