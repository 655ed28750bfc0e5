import { Injectable } from '@nestjs/common';
import { Config } from '../../../common/config/index.js';
import { uuidOrNil } from '../../../common/fields/index.js';
import type { PageAnswer } from '../../../common/http/index.js';
import { BrandingService } from '../../branding/index.js';
import { type LicenseEntity, LicensesRepository } from '../../licenses/index.js';
import { TeamLinksService, TeamService } from '../../members/index.js';
import { BuyerLicensesService } from '../buyer-licenses.service.js';
import { BuyerLicenseChanged, TeamLinkSpent } from '../buyer.problems.js';
import { BuyerSessionsService } from '../sign-in/index.js';
import type { EnterForm } from '../buyer.dto.js';
import type { InviteForm, JoinForm, OfLicenseForm, RemoveForm } from './buyer-team.dto.js';
import { joinedPage, joinPage, linkPage } from './buyer-team-pages.js';

/** What buyers do with the people on their licenses, and these people themselves. A `secret` is that of the browser's session, or null. */
@Injectable()
export class BuyerTeamService {
  private readonly home: string;
  private readonly toLicenses: PageAnswer;

  constructor(
    config: Config,
    private readonly sessions: BuyerSessionsService,
    private readonly licenses: LicensesRepository,
    private readonly own: BuyerLicensesService,
    private readonly team: TeamService,
    private readonly links: TeamLinksService,
    private readonly branding: BrandingService,
  ) {
    this.home = `${config.basePath}/buyer`;
    this.toLicenses = { redirect: `${this.home}/licenses` };
  }

  /** Invites a person. */
  async invite(secret: string | null, { form, license: id, email }: InviteForm): Promise<PageAnswer> {
    const license = await this.licenseOf((await this.sessions.ofForm(secret, form)).email, id);
    await this.team.invite(license, email, { account: license.id });
    return this.toLicenses;
  }

  /** Removes a person. */
  async remove(secret: string | null, { form, license, member }: RemoveForm): Promise<PageAnswer> {
    const { email } = await this.sessions.ofForm(secret, form);
    if (!(await this.own.removeMember(email, uuidOrNil(license), uuidOrNil(member)))) throw new BuyerLicenseChanged();
    return this.toLicenses;
  }

  /** Makes a link by which people join, and shows it. */
  async makeLink(secret: string | null, { form, license: id }: OfLicenseForm): Promise<PageAnswer> {
    const license = await this.licenseOf((await this.sessions.ofForm(secret, form)).email, id);
    const { url } = await this.team.makeLink(license);
    return linkPage(this.home, url, await this.branding.brandOf(license.tenantId));
  }

  /** Takes the session's buyer off a license of somebody else. */
  async leave(secret: string | null, { form, license }: OfLicenseForm): Promise<PageAnswer> {
    const { email } = await this.sessions.ofForm(secret, form);
    await this.own.leave(email, uuidOrNil(license));
    return this.toLicenses;
  }

  /** Asks who joins by a link. */
  async askToJoin({ token, seller }: EnterForm): Promise<PageAnswer> {
    return joinPage(this.home, token.slice(0, 64), await this.branding.brandOf(uuidOrNil(seller)));
  }

  /** Mails a code to who joins. Who is on the license already has one. */
  async join({ token, email }: JoinForm): Promise<PageAnswer> {
    const license = await this.linked(token);
    await this.team.invite(license, email, { account: license.id });
    return joinedPage(this.home, await this.branding.brandOf(license.tenantId));
  }

  private async linked(token: string): Promise<LicenseEntity> {
    const license = await this.links.find(token);
    if (license === null) throw new TeamLinkSpent();
    return license;
  }

  private async licenseOf(email: string, id: string): Promise<LicenseEntity> {
    const license = await this.licenses.find(uuidOrNil(id));
    if (license?.buyerEmail !== email) throw new BuyerLicenseChanged();
    return license;
  }
}
