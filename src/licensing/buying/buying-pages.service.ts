import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import type { PageAnswer } from '../../common/http/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { BrandingService, BUYER_PAGES } from '../branding/index.js';
import {
  type BuyerAnswer,
  BuyerLinkSpent,
  BuyerSessionsService,
  type EnterForm,
  type SellerQuery,
} from '../buyer/index.js';
import { activationPage, unknownActivationPage } from './activation-page.js';
import { allowedPage, allowPage, thanksPage } from './buying-pages.js';
import type { Restore } from './restore-mails.service.js';
import { RestoresService } from './restores.service.js';

/** The pages from which a buyer goes back to the extension. */
@Injectable()
export class BuyingPagesService {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly restores: RestoresService,
    private readonly sessions: BuyerSessionsService,
    private readonly branding: BrandingService,
    private readonly extensions: ExtensionsService,
  ) {
    this.home = `${config.basePath}/${BUYER_PAGES}`;
  }

  /** Sends a buyer back after a payment. */
  async thanks({ seller }: SellerQuery): Promise<PageAnswer> {
    const brand = seller === '' ? this.branding.onlyBrand() : this.branding.brandOf(uuidOrNil(seller));
    return thanksPage(await brand);
  }

  /** Lets an extension take the code of a mail. */
  async activate(extensionId: string): Promise<PageAnswer> {
    const extension = await this.extensions.findPublic(uuidOrNil(extensionId));
    if (extension === null) return unknownActivationPage();
    return activationPage(this.home, extension.name, await this.branding.brandOf(extension.tenantId));
  }

  /** Shows a button that uses the link. */
  async show({ token }: EnterForm): Promise<PageAnswer> {
    const restore = found(await this.restores.find(token));
    return allowPage(this.home, token, restore, await this.branding.brandOf(restore.tenantId));
  }

  /** Uses the link, and begins a session, in which the buyer can free a seat. */
  async use({ token }: EnterForm): Promise<BuyerAnswer> {
    const restore = found(await this.restores.use(token));
    const page = allowedPage(this.home, restore, await this.branding.brandOf(restore.tenantId));
    return { ...page, secret: await this.sessions.begin(restore.email) };
  }
}

function found(restore: Restore | null): Restore {
  if (restore === null) throw new BuyerLinkSpent();
  return restore;
}
