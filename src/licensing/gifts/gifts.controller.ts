import { Body, Controller, Get, HttpCode, Param, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { BuyerPageFilter, SameOriginGuard } from '../buyer/index.js';
import { BrowserSecret, GiftCookie } from './gift-cookie.js';
import { GIFT_PAGES } from './gifts.service.js';
import { type GiftAnswer, GiftPagesService } from './gift-pages.service.js';
import { GiftForm } from './gifts.dto.js';

/** The pages of gift links. The token is the right to the gift; a browser keeps a secret, by which it sees the code again. */
@ApiExcludeController()
@OutsideApi()
@Controller(GIFT_PAGES)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class GiftsController {
  constructor(
    private readonly pages: GiftPagesService,
    private readonly cookie: GiftCookie,
  ) {}

  @ApiOperation({ summary: 'Shows what a link gives, and the button that uses it: previews open every link.' })
  @Get(':token')
  @Public('shows a button')
  async show(
    @Param('token') token: string,
    @BrowserSecret() browser: string | null,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.pages.show(token, browser));
  }

  @ApiOperation({ summary: 'Uses a link, and shows the code.' })
  @Post(':token')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('gift-address', 'rateLimitBuyerPerAddress')
  @Public('requires the token of a link')
  async redeem(
    @Param('token') token: string,
    @BrowserSecret() browser: string | null,
    @Body() { email }: GiftForm,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.pages.redeem(token, browser, email));
  }

  private send(response: Response, { page, secret }: GiftAnswer): void {
    if (secret !== null) this.cookie.set(response, secret);
    sendPage(response, page);
  }
}
