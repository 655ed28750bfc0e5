import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { digestOf, mailboxOf } from '../../common/fields/index.js';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../common/system/index.js';
import { networkKey, RateLimits, workContext } from '../../common/access/index.js';

/** A person who needs more than a handful of links a day has another problem than a lost mail. From all networks together, twice as many. */
const LINKS_PER_DAY = 6;

/** Limits the mails that people can have sent to addresses of their choice, so that nobody can use the service as a mail relay. */
@Injectable()
export class MailLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** @throws RateLimited when the tenant, or all tenants together to this recipient, have reached the day's limit */
  async count(tenantId: string, recipient: string): Promise<void> {
    const { mailsByHandPerTenant, mailsByHandPerRecipient } = this.config;
    await this.limits.consume(daily('mail-tenant', mailsByHandPerTenant), tenantId);
    await this.limits.consume(daily('mail-recipient', mailsByHandPerRecipient), mailboxKey(recipient));
  }

  /** Counts the mails of one request to many addresses. @throws RateLimited when the tenant, or all tenants together to a recipient, have reached the day's limit */
  async countMany(tenantId: string, recipients: readonly string[]): Promise<void> {
    const { mailsByBatchPerTenant, mailsByHandPerRecipient } = this.config;
    await this.limits.consume(daily('mail-batch-tenant', mailsByBatchPerTenant), tenantId, recipients.length);
    const limit = daily('mail-recipient', mailsByHandPerRecipient);
    await Promise.all(recipients.map((one) => this.limits.consume(limit, mailboxKey(one))));
  }

  /**
   * Counts a link that the current request asks for, for an address, known or not.
   * @throws RateLimited when its network, or all networks together, have had the address's links of the kind, of ten minutes or of a day
   */
  async countLink(kind: 'password-resets' | 'buyer-links' | 'trial-links', recipient: string): Promise<void> {
    const { rateLimitPasswordResetsPerEmail, rateLimitBuyerLinksPerEmail } = this.config;
    const points = kind === 'password-resets' ? rateLimitPasswordResetsPerEmail : rateLimitBuyerLinksPerEmail;
    const within = { withinSeconds: 10 * MINUTE_SECONDS, lockoutSeconds: 10 * MINUTE_SECONDS };
    // Nobody on another network can use up the links of whoever owns the mailbox.
    const network = networkKey(workContext().address ?? '');
    await this.limits.penalize({ name: kind, points, ...within }, digestOf(`${network}\n${recipient}`));
    await this.limits.penalize({ name: `${kind}-in-all`, points: 2 * points, ...within }, digestOf(recipient));
    const [ofNetwork, inAll] = [`${kind}-of-day`, `${kind}-of-day-in-all`];
    await this.limits.consume(daily(ofNetwork, LINKS_PER_DAY), digestOf(`${network}\n${mailboxOf(recipient)}`));
    await this.limits.consume(daily(inAll, 2 * LINKS_PER_DAY), mailboxKey(recipient));
  }
}

const daily = (name: string, points: number): { name: string; points: number; withinSeconds: number } => ({
  name,
  points,
  withinSeconds: DAY_SECONDS,
});

/** A digest, since counts may be kept in Redis. */
const mailboxKey = (address: string): string => digestOf(mailboxOf(address));
