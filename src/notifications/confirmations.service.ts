import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../common/fields/index.js';
import { addressKey, RateLimits } from '../common/access/index.js';
import { composeMail, Outbox } from '../mail/index.js';
import type { EndpointEntity } from './endpoint.entity.js';

const PURPOSE = 'notification-confirmation';
const LINK_DAYS = 3;
const DAY_MS = 86_400_000;

/** Lets the owner of a mailbox confirm that notifications may go there: before that, only the link to do so is sent. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Mails a link for a new address, inside the transaction that saves the endpoint; former links of the endpoint end. The mail holds nothing
   * that the tenant has written.
   * @returns what the endpoint keeps of it
   */
  async request(
    endpointId: string,
    address: string,
  ): Promise<Pick<EndpointEntity, 'confirmedAt' | 'confirmationDigest' | 'confirmationUntil'>> {
    const secret = newSecret();
    const worthlessAt = new Date(this.clock.now().getTime() + LINK_DAYS * DAY_MS);
    const mail = composeMail('Confirm your address for notifications', [
      `Somebody has asked the Pierhead service at ${this.config.publicUrl} to send notifications about browser extensions to this address.`,
      `If that is what you want, open this link within ${LINK_DAYS} days and confirm:`,
      { link: `${this.config.publicUrl}/notifications/confirm?token=${secret}`, label: 'Confirm this address' },
      'If not, do nothing: no notifications are sent to an address that was not confirmed.',
    ]);
    await this.withdraw(endpointId);
    await this.outbox.add({ purpose: PURPOSE, aboutId: endpointId, to: address, worthlessAt, ...mail });
    return { confirmedAt: null, confirmationDigest: digestOf(secret), confirmationUntil: worthlessAt };
  }

  /** Takes back a link that has not been mailed yet. */
  async withdraw(endpointId: string): Promise<void> {
    await this.outbox.withdraw(PURPOSE, [endpointId]);
  }

  /** Confirms the address that a link was mailed to, once. @returns false when the link is not valid, or no longer. @throws RateLimited */
  async confirm(secret: unknown, address: string): Promise<boolean> {
    const perMinute = this.config.rateLimitBuyerPerAddress;
    await this.limits.consume({ name: 'confirm-address', perMinute }, addressKey(address));
    if (typeof secret !== 'string' || !isSecret(secret)) return false;
    const rows = await this.tx.query(
      `update notification_endpoint
          set confirmed_at = $2, confirmation_digest = null, confirmation_until = null, updated_at = $2
        where confirmation_digest = $1 and confirmation_until > $2 returning id`,
      [digestOf(secret), this.clock.now()],
    );
    return rows.length === 1;
  }
}
