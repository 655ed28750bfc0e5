import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { composeMail, OutboxService } from '../../platform/mail/index.js';
import type { EndpointEntity } from '../endpoint.entity.js';
import { EndpointsRepository } from '../endpoints.repository.js';

/** The path of the page that a link opens, without the leading slash. */
export const CONFIRMATION_PATH = 'notifications/confirm';

const PURPOSE = 'notification-confirmation';
const LINK_DAYS = 3;

/** Confirms that the owner of an e-mail address wants notifications. Until then, the address receives only the confirmation link. */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly endpoints: EndpointsRepository,
    private readonly outbox: OutboxService,
  ) {}

  /**
   * Mails a link to a new address, inside the transaction that saves the endpoint. Earlier links of the endpoint stop working. The mail
   * contains nothing that the tenant wrote.
   * @returns what the endpoint keeps of the link
   */
  async request(
    { id: endpointId, tenantId }: Pick<EndpointEntity, 'id' | 'tenantId'>,
    address: string,
  ): Promise<Pick<EndpointEntity, 'confirmedAt' | 'confirmationDigest' | 'confirmationUntil'>> {
    const secret = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + LINK_DAYS * DAY_MS);
    const mail = composeMail(
      'Confirm your address for notifications',
      [
        `Someone asked the Pierhead service at ${this.config.publicUrl} to send notifications about browser extensions to this address.`,
        `If you want them, open this link within ${LINK_DAYS} days and confirm:`,
        { button: `${this.config.publicUrl}/${CONFIRMATION_PATH}?token=${secret}`, label: 'Confirm this address' },
        'If you do not, ignore this mail: Pierhead sends no notifications to an address that is not confirmed.',
      ],
      'because notifications were requested for this address',
    );
    await this.withdraw(endpointId);
    await this.outbox.add({ purpose: PURPOSE, aboutId: endpointId, tenantId, to: address, expiresAt, ...mail });
    return { confirmedAt: null, confirmationDigest: digestOf(secret), confirmationUntil: expiresAt };
  }

  /** Withdraws a link that has not been mailed yet. */
  async withdraw(endpointId: string): Promise<void> {
    await this.outbox.withdraw(PURPOSE, [endpointId]);
  }

  /** Confirms the address that a link was mailed to, once. @returns false when the link is not valid */
  async confirm(secret: unknown): Promise<boolean> {
    return typeof secret === 'string' && isSecret(secret) && this.endpoints.confirm(digestOf(secret), this.clock.now());
  }
}
