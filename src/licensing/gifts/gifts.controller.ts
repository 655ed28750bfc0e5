import { Body, Controller, Get, HttpCode, Param, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { foldEmail, isEmailAddress, newSecret } from '../../common/fields/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { BrandingService } from '../branding/index.js';
import { BuyerPageFilter, SameOriginGuard } from '../buyer/index.js';
import { BrowserSecret, GiftCookie } from './gift-cookie.js';
import { giftPage, unknownGiftPage } from './gift-pages.js';
import { GiftForm } from './gifts.dto.js';
import { type Gift, GIFT_PAGES, GiftsService } from './gifts.service.js';

/** The pages of gift links. The token is the right to the gift; a browser keeps a secret, by which it sees the code again. */
@ApiExcludeController()
@OutsideApi()
@Controller(GIFT_PAGES)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class GiftsController {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly gifts: GiftsService,
    private readonly branding: BrandingService,
    private readonly cookie: GiftCookie,
  ) {
    this.home = `${config.basePath}/${GIFT_PAGES}`;
  }

  @ApiOperation({ summary: 'Shows what a link gives, and the button that uses it: previews open every link.' })
  @Get(':token')
  @Public('shows a button')
  async show(
    @Param('token') token: string,
    @BrowserSecret() browser: string | null,
    @Res() response: Response,
  ): Promise<void> {
    // Before the link is used, so that a browser that loses the answer can ask again.
    if (browser === null) this.cookie.set(response, newSecret());
    await this.send(response, token, await this.gifts.show(token, browser));
  }

  @ApiOperation({ summary: 'Uses a link, and shows the code.' })
  @Post(':token')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('gift-address', 'rateLimitBuyerPerAddress')
  @Public('requires the token of a link')
  async redeem(
    @Param('token') token: string,
    @BrowserSecret() known: string | null,
    @Body() { email: typed }: GiftForm,
    @Res() response: Response,
  ): Promise<void> {
    const email = typed === '' ? null : foldEmail(typed);
    if (email !== null && !isEmailAddress(email))
      throw new InvalidRequest([{ field: 'email', message: 'must be an e-mail address.' }]);
    const browser = known ?? newSecret();
    if (known === null) this.cookie.set(response, browser);
    await this.send(response, token, await this.gifts.redeem(token, browser, email));
  }

  private async send(response: Response, token: string, gift: Gift | null): Promise<void> {
    if (gift === null) return sendPage(response, unknownGiftPage());
    sendPage(response, giftPage(this.home, token, gift, await this.branding.brandOf(gift.tenantId)));
  }
}
