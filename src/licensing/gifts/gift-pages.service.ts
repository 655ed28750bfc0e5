import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { foldEmail, isEmailAddress, newSecret } from '../../common/fields/index.js';
import type { PageAnswer } from '../../common/http/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { BrandingService } from '../branding/index.js';
import { giftPage, unknownGiftPage } from './gift-pages.js';
import { type Gift, GIFT_PAGES, GiftsService } from './gifts.service.js';

/** A page, and the secret by which the browser sees it again. */
export interface GiftAnswer {
  readonly page: PageAnswer;
  /** Null when the browser keeps the one that it has. */
  readonly secret: string | null;
}

/** Makes the pages of gift links. */
@Injectable()
export class GiftPagesService {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly gifts: GiftsService,
    private readonly branding: BrandingService,
  ) {
    this.home = `${config.basePath}/${GIFT_PAGES}`;
  }

  /** Shows what a link gives. @param browser the secret of the browser; null when it has none */
  async show(token: string, browser: string | null): Promise<GiftAnswer> {
    const page = await this.pageOf(token, await this.gifts.show(token, browser));
    // Before the link is used, so that a browser that loses the answer can ask again.
    return { page, secret: browser === null ? newSecret() : null };
  }

  /** Uses a link, for an address where one is typed, and shows the code. */
  async redeem(token: string, known: string | null, typed: string): Promise<GiftAnswer> {
    const email = typed === '' ? null : foldEmail(typed);
    if (email !== null && !isEmailAddress(email))
      throw new InvalidRequest([{ field: 'email', message: 'must be an e-mail address.' }]);
    const browser = known ?? newSecret();
    const page = await this.pageOf(token, await this.gifts.redeem(token, browser, email));
    return { page, secret: known === null ? browser : null };
  }

  private async pageOf(token: string, gift: Gift | null): Promise<PageAnswer> {
    if (gift === null) return unknownGiftPage();
    return giftPage(this.home, token, gift, await this.branding.brandOf(gift.tenantId));
  }
}
