import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { type Action, AuditLog } from '../../platform/audit/index.js';
import { type LicenseEntity, LicensesRepository } from '../licenses/index.js';
import { LicenseNotFound } from '../licensing.problems.js';
import { LicenseMembersRepository } from './license-members.repository.js';
import type { LicenseMember, TeamLink } from './members.dto.js';
import { MemberNotFound } from './members.problems.js';
import { type Acting, TeamService } from './team.service.js';

/** The members of licenses, for the tenant. */
@Injectable()
export class LicenseMembersService {
  constructor(
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
    private readonly members: LicenseMembersRepository,
    private readonly team: TeamService,
    private readonly audit: AuditLog,
  ) {}

  /** Lists the members of a license, newest first. */
  async list(tenantId: string, licenseId: string, query: PageQuery): Promise<Page<LicenseMember>> {
    await this.licenseOf(tenantId, licenseId);
    return pageFrom(
      query,
      (start) => this.members.list(licenseId, start),
      (member) => member,
    );
  }

  /** Invites a person. Inviting an address again changes nothing. */
  async invite(tenantId: string, licenseId: string, email: string): Promise<LicenseMember> {
    const license = await this.licenseOf(tenantId, licenseId);
    const id = await this.team.invite(license, email, this.acting(tenantId, 'license.member_invited'));
    return this.get(licenseId, id);
  }

  /** Makes a link by which people join, in place of the one before. */
  async makeLink(tenantId: string, licenseId: string): Promise<TeamLink> {
    const license = await this.licenseOf(tenantId, licenseId);
    return this.team.makeLink(license, this.acting(tenantId, 'license.member_link_made').record);
  }

  /** Replaces a member's code and mails the new one: the old one is not stored, so it cannot be sent again. */
  async resend(tenantId: string, licenseId: string, memberId: string): Promise<LicenseMember> {
    const license = await this.licenseOf(tenantId, licenseId);
    await this.team.resend(license, memberId, this.acting(tenantId, 'license.member_resent'));
    return this.get(licenseId, memberId);
  }

  /** Removes a member and frees the member's seats. */
  async remove(tenantId: string, licenseId: string, memberId: string): Promise<void> {
    await this.tx.run(async () => {
      const license = await this.licenses.findForUpdate(tenantId, licenseId);
      const member = license === null ? null : await this.members.find(licenseId, memberId);
      if (license === null || member === null) throw new MemberNotFound();
      await this.team.remove(license, member, 'tenant');
      await this.audit.record(tenantId, 'license.member_removed', license);
    });
  }

  private acting(tenantId: string, action: Extract<Action, `license.member_${string}`>): Acting {
    return { account: tenantId, record: (license) => this.audit.record(tenantId, action, license) };
  }

  private async licenseOf(tenantId: string, id: string): Promise<LicenseEntity> {
    const license = await this.licenses.find(id);
    if (license?.tenantId !== tenantId) throw new LicenseNotFound();
    return license;
  }

  private async get(licenseId: string, id: string): Promise<LicenseMember> {
    return orThrow(await this.members.findListed(licenseId, id), MemberNotFound);
  }
}
