import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { digestOf } from '../common/fields/index.js';
import { DAY_SECONDS } from '../common/system/index.js';
import { RateLimits } from '../common/access/index.js';

/** Limits the mails that tenants send by hand to addresses of their choice, so that nobody can use the service as a mail relay. */
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
}

const daily = (name: string, points: number): { name: string; points: number; withinSeconds: number } => ({
  name,
  points,
  withinSeconds: DAY_SECONDS,
});

/** A digest, since counts may be kept in Redis. Text after a plus leads to the same mailbox. */
const mailboxKey = (address: string): string => digestOf(address.toLowerCase().replace(/\+[^@]*(?=@)/, ''));
