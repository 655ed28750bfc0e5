import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../common/config/index.js';
import { foldEmail, isEmailAddress, idOrAbsent, isSame } from '../../common/fields/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { HeldLicenses } from '../licenses/held-licenses.service.js';
import { BuyerFormRefused, BuyerLicenseChanged, BuyerLinkSpent } from './buyer.problems.js';
import { BuyerLinks } from './buyer-links.service.js';
import { BuyerSessions, type Buyer } from './buyer-sessions.service.js';
import { homeOf } from './home.js';
import { askedPage, askPage, codePage, enterPage, licensesPage } from './pages.js';

const SHOWN_MAX = 200;

/** What the buyers' pages do, each step an HTML answer or the way to the next page. */
@Injectable()
export class BuyerService {
  private readonly at: string;

  constructor(
    config: Config,
    private readonly links: BuyerLinks,
    private readonly sessions: BuyerSessions,
    private readonly held: HeldLicenses,
  ) {
    this.at = homeOf(config);
  }

  async home(request: Request, response: Response): Promise<void> {
    if ((await this.sessions.buyerOf(request)) === null) show(response, askPage(this.at));
    else response.redirect(303, `${this.at}/licenses`);
  }

  /** @throws RateLimited, InvalidRequest for what is no address at all */
  async ask(form: object, response: Response): Promise<void> {
    const email = foldEmail(fieldOf(form, 'email'));
    if (!isEmailAddress(email)) throw new InvalidRequest([{ field: 'email', message: 'must be an e-mail address.' }]);
    await this.links.request(email);
    show(response, askedPage(this.at));
  }

  enter(token: unknown, response: Response): void {
    show(response, enterPage(this.at, typeof token === 'string' ? token.slice(0, 64) : ''));
  }

  /** @throws BuyerLinkSpent */
  async begin(form: object, response: Response): Promise<void> {
    const email = await this.links.redeem(fieldOf(form, 'token'));
    if (email === null) throw new BuyerLinkSpent();
    await this.sessions.begin(email, response);
    response.redirect(303, `${this.at}/licenses`);
  }

  async licenses(request: Request, response: Response): Promise<void> {
    const buyer = await this.sessions.buyerOf(request);
    if (buyer === null) return response.redirect(303, this.at);
    const found = await this.held.of(buyer.email, SHOWN_MAX + 1);
    show(response, licensesPage(this.at, buyer, found.slice(0, SHOWN_MAX), found.length > SHOWN_MAX));
  }

  /** @throws BuyerFormRefused, BuyerLicenseChanged */
  async release(request: Request, form: object, response: Response): Promise<void> {
    const { email } = await this.ownerOf(request, form);
    if (!(await this.held.free(email, idOrAbsent(fieldOf(form, 'license')), idOrAbsent(fieldOf(form, 'device')))))
      throw new BuyerLicenseChanged();
    response.redirect(303, `${this.at}/licenses`);
  }

  /** @throws BuyerFormRefused, BuyerLicenseChanged */
  async rotate(request: Request, form: object, response: Response): Promise<void> {
    const { email } = await this.ownerOf(request, form);
    const code = await this.held.rotate(email, idOrAbsent(fieldOf(form, 'license')), fieldOf(form, 'hint'));
    if (code === null) throw new BuyerLicenseChanged();
    show(response, codePage(this.at, code));
  }

  /** @throws BuyerFormRefused */
  async leave(request: Request, form: object, response: Response): Promise<void> {
    await this.ownerOf(request, form);
    await this.sessions.end(request, response);
    response.redirect(303, this.at);
  }

  /** The buyer whose page a form is of. */
  private async ownerOf(request: Request, form: object): Promise<Pick<Buyer, 'email'>> {
    const buyer = await this.sessions.buyerOf(request);
    if (buyer === null || !isSame(fieldOf(form, 'form'), buyer.formToken)) throw new BuyerFormRefused();
    return buyer;
  }
}

/** A field of a form; empty when it is missing, or there twice. */
function fieldOf(form: object, name: string): string {
  const value: unknown = (form as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.trim() : '';
}

function show(response: Response, page: string): void {
  response.type('html').send(page);
}
