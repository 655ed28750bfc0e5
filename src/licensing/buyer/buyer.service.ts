import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { foldEmail, idOrAbsent, isEmailAddress, equalsInConstantTime } from '../../common/fields/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { BuyerLicensesService } from '../licenses/buyer-licenses.service.js';
import { BuyerFormRefused, BuyerLicenseChanged, BuyerLinkSpent } from './buyer.problems.js';
import { BuyerLinksService } from './sign-in/buyer-links.service.js';
import { askedPage, askPage, codePage, enterPage, licensesPage } from './buyer-pages.js';
import { buyerPathOf } from './buyer-path.js';
import { BuyerSessionsService, type Buyer } from './sign-in/buyer-sessions.service.js';

const MAX_SHOWN = 200;

/** What a browser gets: a page in HTML, or another address. */
export type BuyerAnswer = { readonly page: string } | { readonly redirect: string };

/** The buyer's pages. A `secret` is that of the browser's session, or null. */
@Injectable()
export class BuyerService {
  private readonly home: string;
  private readonly toLicenses: BuyerAnswer;

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

  /** Mails a link to the form's `email`. @throws RateLimited, InvalidRequest */
  async requestLink(form: object): Promise<BuyerAnswer> {
    const email = foldEmail(fieldOf(form, 'email'));
    if (!isEmailAddress(email)) throw new InvalidRequest([{ field: 'email', message: 'must be an e-mail address.' }]);
    await this.links.request(email);
    return { page: askedPage(this.home) };
  }

  /** Shows a button that uses the link. */
  confirmLink(token: unknown): BuyerAnswer {
    return { page: enterPage(this.home, typeof token === 'string' ? token.slice(0, 64) : '') };
  }

  /** Uses the link with the form's `token` and begins a session. @returns the session's secret too @throws BuyerLinkSpent */
  async signIn(form: object): Promise<{ readonly secret: string; readonly answer: BuyerAnswer }> {
    const email = await this.links.redeem(fieldOf(form, 'token'));
    if (email === null) throw new BuyerLinkSpent();
    return { secret: await this.sessions.begin(email), answer: this.toLicenses };
  }

  /** Shows the licenses of the session's buyer. */
  async showLicenses(secret: string | null): Promise<BuyerAnswer> {
    const buyer = await this.sessions.find(secret);
    if (buyer === null) return { redirect: this.home };
    const found = await this.licenses.list(buyer.email, MAX_SHOWN + 1);
    return { page: licensesPage(this.home, buyer, found.slice(0, MAX_SHOWN), found.length > MAX_SHOWN) };
  }

  /** Frees the seat of the form's `device` on its `license`. @throws BuyerFormRefused, BuyerLicenseChanged */
  async freeSeat(secret: string | null, form: object): Promise<BuyerAnswer> {
    const { email } = await this.buyerOf(secret, form);
    const [license, device] = [idOrAbsent(fieldOf(form, 'license')), idOrAbsent(fieldOf(form, 'device'))];
    if (!(await this.licenses.freeSeat(email, license, device))) throw new BuyerLicenseChanged();
    return this.toLicenses;
  }

  /** Replaces the code of the form's `license` if it still ends with `hint`. @throws BuyerFormRefused, BuyerLicenseChanged */
  async rotate(secret: string | null, form: object): Promise<BuyerAnswer> {
    const { email } = await this.buyerOf(secret, form);
    const code = await this.licenses.rotate(email, idOrAbsent(fieldOf(form, 'license')), fieldOf(form, 'hint'));
    if (code === null) throw new BuyerLicenseChanged();
    return { page: codePage(this.home, code) };
  }

  /** Ends the session. @throws BuyerFormRefused */
  async signOut(secret: string | null, form: object): Promise<BuyerAnswer> {
    await this.buyerOf(secret, form);
    if (secret !== null) await this.sessions.end(secret);
    return { redirect: this.home };
  }

  /** The session's buyer, if the form comes from one of the session's pages. @throws BuyerFormRefused */
  private async buyerOf(secret: string | null, form: object): Promise<Buyer> {
    const buyer = await this.sessions.find(secret);
    if (buyer === null || !equalsInConstantTime(fieldOf(form, 'form'), buyer.formToken)) throw new BuyerFormRefused();
    return buyer;
  }
}

/** A field of a form; empty when it is missing or sent twice. */
function fieldOf(form: object, name: string): string {
  const value: unknown = (form as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.trim() : '';
}
