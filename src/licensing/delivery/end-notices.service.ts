import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type NewMail, OutboxService } from '../../platform/mail/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { BrandingService } from '../branding/index.js';
import { type EndingLicense, type LicenseEntity, LicenseExpiryService } from '../licenses/index.js';
import { type LicensePlanEntity, LicensePlansRepository } from '../plans/index.js';
import { endNotice } from './end-notice.js';

/** Purpose of the mails that are about a license. */
export const PURPOSE = 'license-end';

/** A license whose buyer is to be told. */
interface Noticed {
  readonly license: LicenseEntity;
  readonly plan: LicensePlanEntity;
}

/** Mails buyers that their licenses end, on the days that the plan names. */
@Injectable()
export class EndNoticesService implements OnModuleInit {
  constructor(
    private readonly expiry: LicenseExpiryService,
    private readonly plans: LicensePlansRepository,
    private readonly extensions: ExtensionsService,
    private readonly branding: BrandingService,
    private readonly outbox: OutboxService,
  ) {}

  onModuleInit(): void {
    this.expiry.ending.add((ending) => this.send(ending));
  }

  /** Adds the mails that are due to the outbox, in the current transaction. */
  private async send(ending: readonly EndingLicense[]): Promise<void> {
    const plans = await this.plans.findByIds(new Set(ending.map(({ license }) => license.planId)));
    const due = ending.flatMap(({ license, notices }) => {
      const plan = plans.get(license.planId);
      return plan !== undefined && notices.some((days) => plan.noticeDays.includes(days)) ? [{ license, plan }] : [];
    });
    for (const tenantId of new Set(due.map(({ license }) => license.tenantId)))
      await this.outbox.addAll(
        await this.mailsOf(
          tenantId,
          due.filter(({ license }) => license.tenantId === tenantId),
        ),
      );
  }

  /** Mails about licenses of one tenant, of which many may end on one day. */
  private async mailsOf(tenantId: string, noticed: readonly Noticed[]): Promise<readonly NewMail[]> {
    const letterhead = await this.branding.letterheadOf(tenantId);
    const extensions = await this.extensions.byId(
      tenantId,
      noticed.map(({ license }) => license.extensionId),
    );
    return noticed.flatMap(({ license, plan }) => {
      const { id: aboutId, extensionId, buyerEmail: to, codeHint, onEnd, expiresAt } = license;
      if (expiresAt === null || to === null) return [];
      const { tier, noticeText: words } = plan;
      const extensionName = extensions.get(extensionId)?.name ?? '';
      const mail = endNotice({ extensionName, tier, codeHint, expiresAt, onEnd, words, ...letterhead });
      // A mail that is still waiting at the end would say what is no longer so.
      return [{ purpose: PURPOSE, aboutId, tenantId, to, expiresAt, ...mail }];
    });
  }
}
