import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import {
  devicesAllowed,
  type LicenseEntity,
  LicenseLifecycleService,
  LicensesRepository,
  type LicenseWithDevices,
  newDelivery,
  orderIdIn,
} from '../licenses/index.js';
import { LicenseNotFound, LicenseRevoked, LicenseWithoutOwner } from '../licensing.problems.js';
import { type LicensePlanEntity, LicensePlansRepository } from '../plans/index.js';
import { MailLimitsService, OutboxService } from '../../platform/mail/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { BrandingService } from '../branding/index.js';
import { LicenseDevicesService } from '../seats/index.js';
import { codeMail, sameCodeMail, type MailedOrder } from './code-mail.js';

/** Purpose of the mails that are about a delivery. */
export const PURPOSE = 'license-code';

/** A code that is mailed. */
interface NewCode {
  readonly license: LicenseEntity;
  readonly plan: Pick<LicensePlanEntity, 'tier' | 'maxActivations'>;
  readonly code: string;
  /** Number of licenses in the purchase. */
  readonly licenseCount: number;
  /** The order that it is mailed for; that of the source when absent. */
  readonly order?: MailedOrder;
  /** Mails it no earlier; at once when absent. */
  readonly notBefore?: Date;
}

/** How another purchase continues a license. */
interface Continued {
  readonly isUpgrade: boolean;
  readonly order: MailedOrder;
}

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
    this.outbox.attempted.add((outcomes) => {
      const own = outcomes.filter(({ purpose }) => purpose === PURPOSE);
      return this.licensesRepository.setDelivered(
        own.map(({ aboutId: deliveryId, state: delivery }) => ({ deliveryId, delivery })),
      );
    });
    this.lifecycle.beforeCodeReplaced.add(async ({ deliveryId }) => {
      if (deliveryId !== null) await this.outbox.withdraw(PURPOSE, [deliveryId]);
    });
  }

  /** Mails the codes of a tenant's licenses that have a new delivery, inside the current transaction. */
  async sendAll(tenantId: string, codes: readonly NewCode[]): Promise<void> {
    if (codes.length === 0) return;
    const letterhead = await this.branding.letterheadOf(tenantId);
    const extensions = await this.extensions.byId(
      tenantId,
      codes.map(({ license }) => license.extensionId),
    );
    const mails = codes.map(({ license, plan, code, licenseCount, order, notBefore }) => {
      const { deliveryId, buyerEmail: to, extensionId } = license;
      if (deliveryId === null || to === null)
        throw new Error('A license whose code is mailed has a delivery and an owner');
      const extension = extensions.get(extensionId);
      if (extension === undefined) throw new Error('A license is of an extension');
      const mail = codeMail({
        extensionName: extension.name,
        tier: plan.tier,
        code,
        activation: this.branding.activationLink(extension, code),
        order: order ?? firstOrderOf(license),
        maxActivations: devicesAllowed(license.maxActivations, plan.maxActivations),
        licenseCount,
        ...letterhead,
      });
      const aboutId = deliveryId;
      return { purpose: PURPOSE, aboutId, tenantId, to, ...mail, ...(notBefore === undefined ? {} : { notBefore }) };
    });
    await this.outbox.addAll(mails);
  }

  /** Tells the buyer of a license with a new delivery that another purchase continues it, with the code that they have, inside the current transaction. */
  async tellOfMore(license: LicenseEntity, plan: NewCode['plan'], { isUpgrade, order }: Continued): Promise<void> {
    const { tenantId, deliveryId: aboutId, buyerEmail: to, extensionId, codeHint } = license;
    if (aboutId === null || to === null) throw new Error('A license whose buyer is told has a delivery and an owner');
    const mail = sameCodeMail({
      extensionName: (await this.extensions.get(tenantId, extensionId)).name,
      tier: plan.tier,
      codeHint,
      isUpgrade,
      order,
      maxActivations: devicesAllowed(license.maxActivations, plan.maxActivations),
      ...(await this.branding.letterheadOf(tenantId)),
    });
    await this.outbox.add({ purpose: PURPOSE, aboutId, tenantId, to, ...mail });
  }

  /** Replaces a code and mails the new one: the old one is not stored, so it cannot be sent again. */
  async resend(tenantId: string, licenseId: string): Promise<LicenseWithDevices> {
    const shown = await this.devices.get(tenantId, licenseId);
    // Before the mail is counted, so that calls that send nothing use up nothing of what the recipient may get.
    if (shown.status === 'revoked') throw new LicenseRevoked(shown);
    if (shown.buyerEmail === null) throw new LicenseWithoutOwner();
    await this.mailLimits.count(tenantId, shown.buyerEmail);
    await this.tx.run(async () => {
      const license = await this.licensesRepository.findForUpdate(tenantId, licenseId);
      if (license === null) throw new LicenseNotFound();
      if (license.revokedAt !== null) throw new LicenseRevoked(license);
      const before = license.codeHint;
      const code = await this.lifecycle.replaceCode(license, newDelivery());
      const plan = await this.plans.get(license.planId);
      await this.sendAll(tenantId, [{ license, plan, code, licenseCount: 1 }]);
      const message = `The code …${before} was replaced by …${license.codeHint} and mailed to the buyer.`;
      await this.lifecycle.addEvent(license, 'license_resent', message);
      await this.lifecycle.tellResent(license);
      await this.audit.record(tenantId, 'license.resent', license);
    });
    return this.devices.get(tenantId, licenseId);
  }
}

/** The order that a license came from; null for one that nobody bought. */
function firstOrderOf({ source }: LicenseEntity): MailedOrder | null {
  const number = orderIdIn(source);
  return number === null ? null : { number, at: null };
}
