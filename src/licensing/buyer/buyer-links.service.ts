import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { RateLimits } from '../../common/access/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { HeldLicenses } from '../licenses/held-licenses.service.js';
import { LicenseBook } from '../licenses/license-book.js';
import { composeMail, OutboxService } from '../../mail/index.js';
import { BuyerLinkEntity } from './buyer.entity.js';

const MINUTE_MS = 60_000;
const LINK_MINUTES = 15;
const TEN_MINUTES = 600;

/** Links by which the owner of a mailbox shows that it is his. */
@Injectable()
export class BuyerLinks implements BeforeApplicationShutdown, OnModuleInit {
  private readonly log = new Logger(BuyerLinks.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly held: HeldLicenses,
    private readonly outbox: OutboxService,
    private readonly book: LicenseBook,
  ) {}

  /** Whoever has no license left has no link and no session either. */
  onModuleInit(): void {
    this.book.erasing.add(async ({ id, buyerEmail }) => {
      await this.tx.query(
        `with gone as (select where not exists (select from license where buyer_email = $1 and id <> $2)),
              link as (delete from buyer_link where email = $1 and exists (select from gone))
         delete from buyer_session where email = $1 and exists (select from gone)`,
        [buyerEmail, id],
      );
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
    const [link] = await this.tx.query<{ readonly email: string }>(
      'delete from buyer_link where secret_digest = $1 and expires_at > $2 returning email',
      [digestOf(secret), this.clock.now()],
    );
    return link?.email ?? null;
  }

  /** Forgets links that have run out. */
  @Interval(5 * MINUTE_MS)
  async forget(): Promise<void> {
    try {
      await this.tx.query('delete from buyer_link where expires_at <= $1', [this.clock.now()]);
    } catch (error) {
      this.log.error({ msg: 'old links were not forgotten', err: error });
    }
  }

  private async send(email: string): Promise<void> {
    if (!(await this.held.isHeldBy(email))) return;
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
      await this.tx.repository(BuyerLinkEntity).insert(row);
      await this.outbox.add({ purpose: 'buyer-link', aboutId: row.id, to: email, worthlessAt, ...mail });
    });
  }
}
