import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../../common/fields/index.js';
import { BackgroundTasks } from '../../../common/jobs/index.js';
import { LicenseMembersRepository } from '../../members/index.js';
import { BrandingService, senderOf } from '../../branding/index.js';
import { composeMail, MailLimitsService, OutboxService } from '../../../platform/mail/index.js';
import { BuyerLinksRepository } from './buyer-links.repository.js';

const LINK_MINUTES = 15;

/** Mails links by which buyers sign in. */
@Injectable()
export class BuyerLinksService implements BeforeApplicationShutdown {
  private readonly mailing = new BackgroundTasks(BuyerLinksService.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: MailLimitsService,
    private readonly links: BuyerLinksRepository,
    private readonly outbox: OutboxService,
    private readonly members: LicenseMembersRepository,
    private readonly branding: BrandingService,
  ) {}

  /**
   * Mails a link if the address has licenses. That is checked after the answer, so that neither the answer nor the time it takes depends
   * on it.
   * @throws RateLimited when links for the address, known or not, were requested too often
   */
  async request(email: string): Promise<void> {
    await this.limits.countLink('buyer-links', email);
    this.mailing.start('a buyer link was not mailed', () => this.send(email));
  }

  /** Resolves when every requested link is in the outbox. */
  async whenIdle(): Promise<void> {
    await this.mailing.whenIdle();
  }

  /** Finishes the links that were requested. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.whenIdle();
  }

  /** Uses a link. @returns the buyer's address; null when the link is unknown, used or expired */
  async redeem(secret: string): Promise<string | null> {
    if (!isSecret(secret)) return null;
    return this.links.take(digestOf(secret), this.clock.now());
  }

  /** Deletes expired links. */
  @Interval('buyer-link-cleanup', 5 * MINUTE_MS)
  async deleteExpired(): Promise<void> {
    await this.links.deleteExpired(this.clock.now());
  }

  private async send(email: string): Promise<void> {
    const sellers = await this.members.sellersOf(email);
    if (sellers.length === 0) return;
    const brand = sellers.length === 1 ? await this.branding.brandOf(sellers[0] ?? '') : null;
    const seller = brand === null ? '' : `&seller=${brand.tenantId}`;
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
    const mail = composeMail(
      'Your licenses',
      [
        `Open this link within ${LINK_MINUTES} minutes to see your licenses and devices. It works once.`,
        { button: `${this.config.publicUrl}/buyer/enter?token=${secret}${seller}`, label: 'See my licenses' },
        'If you did not request this link, ignore this mail: nobody can use the link without it.',
      ],
      'because a link to the licenses of this address was requested',
      senderOf(brand),
    );
    await this.tx.run(async () => {
      const row = { ...newRow(now), email, secretDigest: digestOf(secret), expiresAt };
      await this.links.insert(row);
      await this.outbox.add({ purpose: 'buyer-link', aboutId: row.id, to: email, expiresAt, ...mail });
    });
  }
}
