import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { Request, Response } from 'express';
import { Config } from '../common/config/index.js';
import { isCleanText } from '../common/fields/index.js';
import { idOrAbsent } from '../common/ids/ids.js';
import { InvalidRequest } from '../common/problems/index.js';
import { HeldLicenses } from '../licensing/index.js';
import { BuyerFormRefused, BuyerLicenseChanged, BuyerLinkSpent } from './buyer.problems.js';
import { BuyerLinks } from './buyer-links.service.js';
import { BuyerSessions, type Buyer } from './buyer-sessions.service.js';
import { homeOf } from './home.js';
import { askedPage, askPage, codePage, enterPage, licensesPage } from './pages.js';
import { readForm } from './read-form.js';
import { isSame } from './secrets.js';

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
  async ask(request: Request, response: Response): Promise<void> {
    const field = await this.form(request, response);
    const email = field('email').toLowerCase();
    if (!isCleanText(email) || !isEmail(email))
      throw new InvalidRequest([{ field: 'email', message: 'must be an e-mail address.' }]);
    await this.links.request(email);
    show(response, askedPage(this.at));
  }

  enter(token: unknown, response: Response): void {
    show(response, enterPage(this.at, typeof token === 'string' ? token.slice(0, 64) : ''));
  }

  /** @throws BuyerLinkSpent, RateLimited */
  async begin(request: Request, response: Response): Promise<void> {
    const field = await this.form(request, response);
    const email = await this.links.redeem(field('token'));
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

  /** @throws BuyerFormRefused, BuyerLicenseChanged, RateLimited */
  async release(request: Request, response: Response): Promise<void> {
    const { email, field } = await this.own(request, response);
    if (!(await this.held.free(email, idOrAbsent(field('license')), idOrAbsent(field('device')))))
      throw new BuyerLicenseChanged();
    response.redirect(303, `${this.at}/licenses`);
  }

  /** @throws BuyerFormRefused, BuyerLicenseChanged, RateLimited */
  async rotate(request: Request, response: Response): Promise<void> {
    const { email, field } = await this.own(request, response);
    const code = await this.held.rotate(email, idOrAbsent(field('license')), field('hint'));
    if (code === null) throw new BuyerLicenseChanged();
    show(response, codePage(this.at, code));
  }

  /** @throws BuyerFormRefused, RateLimited */
  async leave(request: Request, response: Response): Promise<void> {
    await this.own(request, response);
    await this.sessions.end(request, response);
    response.redirect(303, this.at);
  }

  private async form(request: Request, response: Response): ReturnType<typeof readForm> {
    await this.links.count(request.ip ?? '');
    return readForm(request, response);
  }

  /** A form of a page that was shown to this very buyer. */
  private async own(
    request: Request,
    response: Response,
  ): Promise<Pick<Buyer, 'email'> & { readonly field: (name: string) => string }> {
    const field = await this.form(request, response);
    const buyer = await this.sessions.buyerOf(request);
    if (buyer === null || !isSame(field('form'), buyer.formToken)) throw new BuyerFormRefused();
    return { email: buyer.email, field };
  }
}

function show(response: Response, page: string): void {
  response.type('html').send(page);
}
