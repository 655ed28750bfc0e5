import { Injectable } from '@nestjs/common';
import { MailLimitsService, OutboxService } from '../../platform/mail/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { BrandingService } from '../branding/index.js';
import { teamOf, type LicenseEntity, type LicenseMemberEntity, type Team } from '../licenses/index.js';
import { LicensePlansRepository, type LicensePlanEntity } from '../plans/index.js';
import { memberMail } from './member-mail.js';

const PURPOSE = 'member-code';

/** A license with the plan that its team follows from. */
export interface TeamLicenseFound {
  readonly license: LicenseEntity;
  readonly plan: LicensePlanEntity;
  readonly team: Team | null;
}

/** Mails the codes of members. */
@Injectable()
export class MemberMailsService {
  constructor(
    private readonly plans: LicensePlansRepository,
    private readonly extensions: ExtensionsService,
    private readonly branding: BrandingService,
    private readonly outbox: OutboxService,
    private readonly limits: MailLimitsService,
  ) {}

  /** Reads what a license says about its team. */
  async teamFor(license: LicenseEntity): Promise<TeamLicenseFound> {
    const plan = await this.plans.get(license.planId);
    return { license, plan, team: teamOf(license, plan) };
  }

  /** Counts a mail that is about to be sent on an account. @throws RateLimited when it, or the recipient, has had those of a day */
  count(account: string, email: string): Promise<void> {
    return this.limits.count(account, email);
  }

  /** Mails a new code, inside the current transaction. */
  async send({ license, plan, team }: TeamLicenseFound, member: LicenseMemberEntity, code: string): Promise<void> {
    const { tenantId, extensionId, buyerEmail } = license;
    const extension = await this.extensions.get(tenantId, extensionId);
    const mail = memberMail({
      extensionName: extension.name,
      tier: plan.tier,
      code,
      activation: this.branding.activationLink(extension, code),
      buyerEmail,
      seatsPerMember: team?.seatsPerMember ?? null,
      ...(await this.branding.letterheadOf(tenantId)),
    });
    await this.outbox.add({ purpose: PURPOSE, aboutId: member.id, tenantId, to: member.email, ...mail });
  }

  /** Withdraws the mails to members that still wait. */
  withdraw(members: readonly Pick<LicenseMemberEntity, 'id'>[]): Promise<void> {
    return this.outbox.withdraw(
      PURPOSE,
      members.map(({ id }) => id),
    );
  }
}
