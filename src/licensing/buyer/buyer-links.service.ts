import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { RateLimits } from '../../common/access/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { LicensesRepository } from '../licenses/licenses.repository.js';
import { composeMail, OutboxService } from '../../mail/index.js';
import { BuyerLinksRepository } from './buyer-links.repository.js';
import { BuyerSessionsRepository } from './buyer-sessions.repository.js';

const MINUTE_MS = 60_000;
const LINK_MINUTES = 15;
const TEN_MINUTES = 600;

/** Links by which the owner of a mailbox shows that it is his. */
@Injectable()
export class BuyerLinksService implements BeforeApplicationShutdown, OnModuleInit {
  private readonly log = new Logger(BuyerLinksService.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly links: BuyerLinksRepository,
    private readonly sessions: BuyerSessionsRepository,
    private readonly outbox: OutboxService,
    private readonly licenses: LicensesRepository,
  ) {}

  /** A buyer whose last license is erased loses links and sessions with it. */
  onModuleInit(): void {
    this.licenses.erasing.add(async ({ id, buyerEmail }) => {
      if (await this.licenses.existsForBuyer(buyerEmail, id)) return;
      await this.links.deleteOf(buyerEmail);
      await this.sessions.deleteOf(buyerEmail);
    });
  }

  /**
   * Mails a link if the address has licenses. Whether it has, and what is done then, is found out after the answer: neither what is said
   * nor how long it takes depends on it.
   * @throws RateLimited for an address that was asked for too often, known or not
   */
  async request(email: string): Promise<void> {
    await this.limits.penalize(
      {
        name: 'buyer-links',
        points: this.config.rateLimitBuyerLinksPerEmail,
        withinSeconds: TEN_MINUTES,
        shutOutSeconds: TEN_MINUTES,
      },
      digestOf(email),
    );
    const work = this.send(email)
      .catch((error: unknown) => this.log.error({ msg: 'no link was mailed', err: error }))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** When all that was asked for has been put into the outbox. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }

  /** Takes a link, which is good no more then. @returns whose it was; null when it is none, or none any more */
  async redeem(secret: string): Promise<string | null> {
    if (!isSecret(secret)) return null;
    return this.links.take(digestOf(secret), this.clock.now());
  }

  /** Forgets links that have run out. */
  @Interval(5 * MINUTE_MS)
  async deleteExpired(): Promise<void> {
    try {
      await this.links.deleteExpired(this.clock.now());
    } catch (error) {
      this.log.error({ msg: 'old links were not forgotten', err: error });
    }
  }

  private async send(email: string): Promise<void> {
    if (!(await this.licenses.existsForBuyer(email))) return;
    const secret = newSecret();
    const now = this.clock.now();
    const worthlessAt = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
    const mail = composeMail('Your licenses', [
      `Open this link within ${LINK_MINUTES} minutes to see your licenses and devices. It works once.`,
      { link: `${this.config.publicUrl}/buyer/enter?token=${secret}`, label: 'See my licenses' },
      'If you have not asked for it, do nothing: nobody can use it without this mail.',
    ]);
    await this.tx.run(async () => {
      const row = { ...newRow(now), email, secretDigest: digestOf(secret), expiresAt: worthlessAt };
      await this.links.insert(row);
      await this.outbox.add({ purpose: 'buyer-link', aboutId: row.id, to: email, worthlessAt, ...mail });
    });
  }
}
