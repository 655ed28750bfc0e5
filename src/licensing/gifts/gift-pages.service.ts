import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../common/config/index.js';
import { foldEmail, isEmailAddress, newSecret } from '../../common/fields/index.js';
import { sendPage } from '../../common/http/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { BrandingService } from '../branding/index.js';
import { GiftCookie } from './gift-cookie.js';
import { giftPage, unknownGiftPage } from './gift-pages.js';
import { type Gift, GIFT_PAGES, GiftsService } from './gifts.service.js';

/** Answers with the page of a gift link. */
@Injectable()
export class GiftPagesService {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly gifts: GiftsService,
    private readonly branding: BrandingService,
    private readonly cookie: GiftCookie,
  ) {
    this.home = `${config.basePath}/${GIFT_PAGES}`;
  }

  /** Shows what a link gives. @param browser the secret of the browser; null when it has none */
  async show(token: string, browser: string | null, response: Response): Promise<void> {
    // Before the link is used, so that a browser that loses the answer can ask again.
    if (browser === null) this.cookie.set(response, newSecret());
    await this.send(response, token, await this.gifts.show(token, browser));
  }

  /** Uses a link, for an address where one is typed, and shows the code. */
  async redeem(token: string, known: string | null, typed: string, response: Response): Promise<void> {
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
