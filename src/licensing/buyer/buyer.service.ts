import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import type { PageAnswer } from '../../common/http/index.js';
import { BrandingService, type Brand } from '../branding/index.js';
import { BuyerLicensesService } from './buyer-licenses.service.js';
import type { EnterForm, FreeSeatForm, LinkForm, ReplaceCodeForm, SellerQuery, SessionForm } from './buyer.dto.js';
import { BuyerLicenseChanged, BuyerLinkSpent } from './buyer.problems.js';
import { BuyerLinksService } from './sign-in/buyer-links.service.js';
import { linkRequestedPage, requestLinkPage, codePage, confirmLinkPage, licensesPage } from './buyer-pages.js';
import { BuyerSessionsService } from './sign-in/buyer-sessions.service.js';

const MAX_SHOWN = 200;

/** A page or redirect, and the session's secret where it changes; null ends the session. */
export type BuyerAnswer = PageAnswer & { readonly secret?: string | null };

/** The buyer's pages. A `secret` is that of the browser's session, or null. */
@Injectable()
export class BuyerService {
  private readonly home: string;
  private readonly toLicenses: PageAnswer;

  constructor(
    config: Config,
    private readonly links: BuyerLinksService,
    private readonly sessions: BuyerSessionsService,
    private readonly licenses: BuyerLicensesService,
    private readonly branding: BrandingService,
  ) {
    this.home = `${config.basePath}/buyer`;
    this.toLicenses = { redirect: `${this.home}/licenses` };
  }

  /** Asks for an address, or shows the licenses of a session. */
  async start(secret: string | null, { seller }: SellerQuery): Promise<BuyerAnswer> {
    if ((await this.sessions.find(secret)) !== null) return this.toLicenses;
    return requestLinkPage(this.home, await this.brandOf(seller));
  }

  /** Mails a link. */
  async requestLink({ email, seller }: LinkForm): Promise<BuyerAnswer> {
    const brand = await this.brandOf(seller);
    await this.links.request(email);
    return linkRequestedPage(this.home, brand);
  }

  /** Shows a button that uses the link. */
  async confirmLink({ token, seller }: EnterForm): Promise<BuyerAnswer> {
    return confirmLinkPage(this.home, token.slice(0, 64), await this.brandOf(seller));
  }

  /** Uses a link and begins a session. */
  async signIn({ token }: EnterForm): Promise<BuyerAnswer> {
    const email = await this.links.redeem(token);
    if (email === null) throw new BuyerLinkSpent();
    return { ...this.toLicenses, secret: await this.sessions.begin(email) };
  }

  /** Shows the licenses of the session's buyer. */
  async showLicenses(secret: string | null): Promise<BuyerAnswer> {
    const buyer = await this.sessions.find(secret);
    if (buyer === null) return { redirect: this.home };
    const licenses = await this.licenses.list(buyer.email, MAX_SHOWN + 1);
    const brands = await this.branding.brandsOf(licenses.map(({ tenantId }) => tenantId));
    return licensesPage(this.home, {
      buyer,
      licenses: licenses.slice(0, MAX_SHOWN),
      isCut: licenses.length > MAX_SHOWN,
      brands,
    });
  }

  /** Frees a seat. */
  async freeSeat(secret: string | null, { form, license, device }: FreeSeatForm): Promise<BuyerAnswer> {
    const { email } = await this.sessions.ofForm(secret, form);
    if (!(await this.licenses.freeSeat(email, uuidOrNil(license), uuidOrNil(device)))) throw new BuyerLicenseChanged();
    return this.toLicenses;
  }

  /** Replaces the code of a license if it still ends with the hint. */
  async replaceCode(secret: string | null, { form, license, hint }: ReplaceCodeForm): Promise<BuyerAnswer> {
    const { email } = await this.sessions.ofForm(secret, form);
    const replaced = await this.licenses.rotate(email, uuidOrNil(license), hint);
    if (replaced === null) throw new BuyerLicenseChanged();
    return codePage(this.home, replaced.code, await this.branding.brandOf(replaced.tenantId));
  }

  /** Ends the session. */
  async signOut(secret: string | null, { form }: SessionForm): Promise<BuyerAnswer> {
    await this.sessions.ofForm(secret, form);
    if (secret !== null) await this.sessions.end(secret);
    return { redirect: this.home, secret: null };
  }

  /** The brand of the seller that a link names, or of the only tenant when it names none. */
  private brandOf(seller: string): Promise<Brand | null> {
    return seller === '' ? this.branding.onlyBrand() : this.branding.brandOf(uuidOrNil(seller));
  }
}
