import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import {
  devicesAllowed,
  type LicenseEntity,
  LicenseLifecycleService,
  LicensesRepository,
  type LicenseWithDevices,
  newDelivery,
} from '../licenses/index.js';
import { LicenseNotFound, LicenseRevoked } from '../licensing.problems.js';
import { type LicensePlanEntity, LicensePlansRepository } from '../plans/index.js';
import { MailLimitsService, OutboxService } from '../../platform/mail/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { BrandingService } from '../branding/index.js';
import { LicenseDevicesService } from '../seats/index.js';
import { codeMail } from './code-mail.js';

const PURPOSE = 'license-code';

/** Mails codes, and records the delivery on the license. */
@Injectable()
export class CodeMailsService implements OnModuleInit {
  constructor(
    private readonly tx: Transactions,
    private readonly outbox: OutboxService,
    private readonly mailLimits: MailLimitsService,
    private readonly extensions: ExtensionsService,
    private readonly devices: LicenseDevicesService,
    private readonly licensesRepository: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly plans: LicensePlansRepository,
    private readonly branding: BrandingService,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    this.outbox.attempted.add(async ({ purpose, aboutId, state }) => {
      if (purpose === PURPOSE) await this.licensesRepository.setDelivered(aboutId, state);
    });
    this.lifecycle.beforeCodeReplaced.add(async ({ deliveryId }) => {
      if (deliveryId !== null) await this.outbox.withdraw(PURPOSE, [deliveryId]);
    });
  }

  /**
   * Mails the code of a license that has a new delivery, inside the current transaction.
   * @param licenseCount number of licenses in the purchase
   */
  async send(
    license: LicenseEntity,
    { tier, maxActivations }: Pick<LicensePlanEntity, 'tier' | 'maxActivations'>,
    code: string,
    licenseCount = 1,
  ): Promise<void> {
    const { tenantId, deliveryId, buyerEmail: to } = license;
    if (deliveryId === null) throw new Error('A license whose code is mailed has a delivery');
    const { name } = await this.extensions.get(tenantId, license.extensionId);
    const mail = codeMail({
      extensionName: name,
      tier,
      code,
      maxActivations: devicesAllowed(license.maxActivations, maxActivations),
      licenseCount,
      ...(await this.branding.letterheadOf(tenantId)),
    });
    await this.outbox.add({ purpose: PURPOSE, aboutId: deliveryId, tenantId, to, ...mail });
  }

  /** Replaces a code and mails the new one: the old one is not stored, so it cannot be sent again. */
  async resend(tenantId: string, licenseId: string): Promise<LicenseWithDevices> {
    const shown = await this.devices.get(tenantId, licenseId);
    // Before the mail is counted, so that calls that send nothing use up nothing of what the recipient may get.
    if (shown.status === 'revoked') throw new LicenseRevoked(shown);
    await this.mailLimits.count(tenantId, shown.buyerEmail);
    await this.tx.run(async () => {
      const license = await this.licensesRepository.findForUpdate(tenantId, licenseId);
      if (license === null) throw new LicenseNotFound();
      if (license.revokedAt !== null) throw new LicenseRevoked(license);
      const before = license.codeHint;
      const code = await this.lifecycle.replaceCode(license, newDelivery());
      await this.send(license, await this.plans.get(license.planId), code);
      const message = `The code …${before} was replaced by …${license.codeHint} and mailed to the buyer.`;
      await this.lifecycle.addEvent(license, 'license_resent', message);
      await this.audit.record(tenantId, 'license.resent', license);
    });
    return this.devices.get(tenantId, licenseId);
  }
}
