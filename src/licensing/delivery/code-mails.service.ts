import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { newId } from '../../common/fields/index.js';
import { LicenseBook } from '../licenses/license-book.js';
import { LicenseNotFound, LicenseRevoked } from '../licensing.problems.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { type LicenseEntity } from '../licenses/license.entity.js';
import { type LicenseWithDevices } from '../licenses/licenses.dto.js';
import { MailLimitsService, OutboxService } from '../../mail/index.js';
import { EventsService, ExtensionEntity } from '../../registry/index.js';
import { codeMail } from './code-mail.js';

const PURPOSE = 'license-code';

/** Sends codes by mail, and lets the license say how far that has come. */
@Injectable()
export class CodeMails implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly outbox: OutboxService,
    private readonly mailLimits: MailLimitsService,
    private readonly events: EventsService,
    private readonly licenses: LicensesService,
    private readonly book: LicenseBook,
  ) {}

  onModuleInit(): void {
    this.outbox.attempted.add(async ({ purpose, aboutId, state }) => {
      if (purpose === PURPOSE) await this.book.delivered(aboutId, state);
    });
    this.book.codeEnding.add(async ({ deliveryId }) => {
      if (deliveryId !== null) await this.outbox.withdraw(PURPOSE, [deliveryId]);
    });
  }

  /**
   * Mails the code of a license that was locked, or has just been issued, inside the transaction under way.
   * @param together how many licenses were bought with it, itself included
   */
  async send(license: LicenseEntity, code: string, together = 1): Promise<void> {
    const { name } = await this.tx.repository(ExtensionEntity).findOneByOrFail({ id: license.extensionId });
    const { tier, maxActivations } = await this.book.planOf(license);
    const mail = codeMail({
      extensionName: name,
      tier,
      code,
      maxActivations: license.maxActivations ?? maxActivations,
      together,
      buyerPage: `${this.config.publicUrl}/buyer`,
    });
    const aboutId = newId();
    await this.outbox.add({ purpose: PURPOSE, aboutId, to: license.buyerEmail, ...mail });
    await this.book.delivering(license, aboutId);
  }

  /** Replaces a code and mails the new one; the old one cannot be sent, since nobody has it. @throws LicenseNotFound, LicenseRevoked, RateLimited */
  async resend(tenantId: string, licenseId: string): Promise<LicenseWithDevices> {
    const { buyerEmail } = await this.licenses.get(tenantId, licenseId);
    await this.mailLimits.count(tenantId, buyerEmail);
    await this.tx.run(async () => {
      const license = await this.book.lock(tenantId, licenseId);
      if (license === null) throw new LicenseNotFound();
      if (license.revokedAt !== null) throw new LicenseRevoked();
      const before = license.codeHint;
      await this.send(license, await this.book.rotate(license));
      const { id, extensionId, planId, codeHint } = license;
      const message = `The code of the license …${before} is …${codeHint} now, and is mailed to its buyer.`;
      await this.events.append({ extensionId, kind: 'license_resent', message, data: { licenseId: id, planId } });
    });
    return this.licenses.get(tenantId, licenseId);
  }
}
