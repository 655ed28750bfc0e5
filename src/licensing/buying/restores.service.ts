import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Transactions } from '../../common/database/index.js';
import { digestOf, isSecret, uuidOrNil } from '../../common/fields/index.js';
import { BackgroundTasks } from '../../common/jobs/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { MailLimitsService } from '../../platform/mail/index.js';
import { claimDigest, CodeClaimsService } from '../delivery/index.js';
import { LicenseLifecycleService, LicensesRepository } from '../licenses/index.js';
import { fingerprintDigest } from '../seats/index.js';
import type { AskRestore, RestoreAsked } from './restore.dto.js';
import type { RestoreLinkEntity } from './restore-link.entity.js';
import { RestoreMailsService, type AskedLink, type Restore } from './restore-mails.service.js';
import { restoreNumber } from './restore-number.js';
import { RestoresRepository } from './restores.repository.js';

/** Gives devices the license of a buyer who opens a mailed link: codes are not stored, so each device gets one of its own. */
@Injectable()
export class RestoresService implements BeforeApplicationShutdown, OnModuleInit {
  private readonly mailing = new BackgroundTasks(RestoresService.name);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: MailLimitsService,
    private readonly mails: RestoreMailsService,
    private readonly links: RestoresRepository,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly claims: CodeClaimsService,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeErase.add(async ({ buyerEmail }) => {
      if (buyerEmail !== null) await this.links.deleteOf(buyerEmail);
    });
  }

  /**
   * Mails a link if the address has a license of the extension. That is checked after the answer, so that neither the answer nor the time it takes
   * depends on it.
   * @throws RateLimited when links for the address, known or not, were requested too often
   */
  async request({ extensionId, fingerprint, email }: AskRestore): Promise<RestoreAsked> {
    await this.limits.countLink('buyer-links', email);
    const id = uuidOrNil(extensionId);
    const device = fingerprintDigest(id, fingerprint);
    const claim = this.claims.newDeviceClaim(device);
    const tokenDigest = claimDigest(claim.claimToken) ?? '';
    const link = { email, extensionId: id, tokenDigest, fingerprintDigest: device };
    this.mailing.start('a link that restores a license was not mailed', async () => {
      const restore = await this.restoreOf(link);
      if (restore !== null) await this.mails.send(link, restore);
    });
    return { ...claim, number: restoreNumber(tokenDigest) };
  }

  /** Finds what a link would restore. @returns null when the link is unknown, used or expired, or its license is gone */
  async find(secret: string): Promise<Restore | null> {
    const link = await this.findLink(secret);
    return link === null ? null : this.restoreOf(link);
  }

  /** Uses a link: the device that waits for it can claim a code of its own. @returns null as above */
  async use(secret: string): Promise<Restore | null> {
    return this.tx.run(async () => {
      const link = await this.findLink(secret);
      const restore = link === null ? null : await this.restoreOf(link);
      if (link === null || restore === null) return null;
      // The license before the link, as an erasure locks them.
      const license = await this.licenses.findOfBuyerForUpdate(link.email, restore.id);
      if (license === null || license.revokedAt !== null || !(await this.links.take(link.id))) return null;
      await this.claims.addAll([{ license, code: null, tokenDigest: link.tokenDigest }]);
      await this.lifecycle.addEvent(
        license,
        'license_restored',
        'The buyer gave a device the license by a mailed link.',
      );
      return restore;
    });
  }

  /** Resolves when every requested link is in the outbox. */
  async whenIdle(): Promise<void> {
    await this.mailing.whenIdle();
  }

  /** Finishes the links that were requested. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.whenIdle();
  }

  /** Deletes expired links. */
  @Interval('restore-link-cleanup', 5 * MINUTE_MS)
  async deleteExpired(): Promise<void> {
    await this.links.deleteExpired(this.clock.now());
  }

  private async findLink(secret: string): Promise<RestoreLinkEntity | null> {
    return isSecret(secret) ? this.links.find(digestOf(secret), this.clock.now()) : null;
  }

  private async restoreOf(link: AskedLink): Promise<Restore | null> {
    const license = await this.links.findLicense(link, this.clock.now());
    return license === null ? null : { ...license, email: link.email, number: restoreNumber(link.tokenDigest) };
  }
}
