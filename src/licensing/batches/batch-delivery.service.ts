import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { MailLimitsService } from '../../platform/mail/index.js';
import { CodeMailsService } from '../delivery/index.js';
import { GiftsService } from '../gifts/index.js';
import type { IssuedLicense } from '../licenses/index.js';
import type { LicensePlanEntity } from '../plans/index.js';
import { AT_ONCE, mailDueAt } from './batch-wish.js';
import type { IssueBatch } from './batches.dto.js';

/** Brings the codes of a batch to people. */
@Injectable()
export class BatchDeliveryService {
  constructor(
    private readonly clock: Clock,
    private readonly mails: CodeMailsService,
    private readonly gifts: GiftsService,
    private readonly mailLimits: MailLimitsService,
  ) {}

  /** Counts mails before they are added. @throws RateLimited */
  countMails(tenantId: string, emails: readonly string[]): Promise<void> {
    return this.mailLimits.countMany(tenantId, emails);
  }

  /** Mails the codes of new licenses to their owners, inside the current transaction. */
  async mail(tenantId: string, plan: LicensePlanEntity, issued: readonly IssuedLicense[]): Promise<void> {
    const now = this.clock.now();
    const mails = issued.map((one, index) => ({ ...one, plan, licenseCount: 1, notBefore: mailDueAt(now, index) }));
    for (let from = 0; from < mails.length; from += AT_ONCE)
      await this.mails.sendAll(tenantId, mails.slice(from, from + AT_ONCE));
  }

  /** Makes links for new licenses, inside the current transaction. @returns their addresses, in the order of the licenses */
  async createGifts(issued: readonly IssuedLicense[], { giftExpiresAt }: IssueBatch): Promise<readonly string[]> {
    const expiresAt = giftExpiresAt === undefined ? null : new Date(giftExpiresAt);
    const links: string[] = [];
    for (let from = 0; from < issued.length; from += AT_ONCE) {
      const some = issued.slice(from, from + AT_ONCE).map(({ license }) => license);
      links.push(...(await this.gifts.create(some, expiresAt)));
    }
    return links;
  }
}
