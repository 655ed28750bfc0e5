import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { idOrAbsent, equalsInConstantTime } from '../../common/fields/index.js';
import type { PageAnswer } from '../../common/http/index.js';
import { BuyerLicensesService } from '../licenses/buyer-licenses.service.js';
import type { EnterForm, FreeSeatForm, LinkForm, ReplaceCodeForm, SessionForm } from './buyer.dto.js';
import { BuyerFormRefused, BuyerLicenseChanged, BuyerLinkSpent } from './buyer.problems.js';
import { BuyerLinksService } from './sign-in/buyer-links.service.js';
import { askedPage, askPage, codePage, enterPage, licensesPage } from './buyer-pages.js';
import { buyerPathOf } from './buyer-path.js';
import { BuyerSessionsService, type Buyer } from './sign-in/buyer-sessions.service.js';

const MAX_SHOWN = 200;

/** What a browser gets, and the secret of its session where that changes; null ends it. */
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
  ) {
    this.home = buyerPathOf(config);
    this.toLicenses = { redirect: `${this.home}/licenses` };
  }

  /** Asks for an address, or shows the licenses of a session. */
  async start(secret: string | null): Promise<BuyerAnswer> {
    return (await this.sessions.find(secret)) === null ? { page: askPage(this.home) } : this.toLicenses;
  }

  /** Mails a link. @throws RateLimited */
  async requestLink({ email }: LinkForm): Promise<BuyerAnswer> {
    await this.links.request(email);
    return { page: askedPage(this.home) };
  }

  /** Shows a button that uses the link. */
  confirmLink({ token }: EnterForm): BuyerAnswer {
    return { page: enterPage(this.home, token.slice(0, 64)) };
  }

  /** Uses a link and begins a session. @throws BuyerLinkSpent */
  async signIn({ token }: EnterForm): Promise<BuyerAnswer> {
    const email = await this.links.redeem(token);
    if (email === null) throw new BuyerLinkSpent();
    return { ...this.toLicenses, secret: await this.sessions.begin(email) };
  }

  /** Shows the licenses of the session's buyer. */
  async showLicenses(secret: string | null): Promise<BuyerAnswer> {
    const buyer = await this.sessions.find(secret);
    if (buyer === null) return { redirect: this.home };
    const found = await this.licenses.list(buyer.email, MAX_SHOWN + 1);
    return { page: licensesPage(this.home, buyer, found.slice(0, MAX_SHOWN), found.length > MAX_SHOWN) };
  }

  /** Frees a seat. @throws BuyerFormRefused, BuyerLicenseChanged */
  async freeSeat(secret: string | null, { form, license, device }: FreeSeatForm): Promise<BuyerAnswer> {
    const { email } = await this.buyerOf(secret, form);
    if (!(await this.licenses.freeSeat(email, idOrAbsent(license), idOrAbsent(device))))
      throw new BuyerLicenseChanged();
    return this.toLicenses;
  }

  /** Replaces the code of a license if it still ends with the hint. @throws BuyerFormRefused, BuyerLicenseChanged */
  async replaceCode(secret: string | null, { form, license, hint }: ReplaceCodeForm): Promise<BuyerAnswer> {
    const { email } = await this.buyerOf(secret, form);
    const code = await this.licenses.rotate(email, idOrAbsent(license), hint);
    if (code === null) throw new BuyerLicenseChanged();
    return { page: codePage(this.home, code) };
  }

  /** Ends the session. @throws BuyerFormRefused */
  async signOut(secret: string | null, { form }: SessionForm): Promise<BuyerAnswer> {
    await this.buyerOf(secret, form);
    if (secret !== null) await this.sessions.end(secret);
    return { redirect: this.home, secret: null };
  }

  /** The session's buyer, if the form comes from one of the session's pages. @throws BuyerFormRefused */
  private async buyerOf(secret: string | null, formToken: string): Promise<Buyer> {
    const buyer = await this.sessions.find(secret);
    if (buyer === null || !equalsInConstantTime(formToken, buyer.formToken)) throw new BuyerFormRefused();
    return buyer;
  }
}
