import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { RateLimits } from '../common/access/index.js';

const DAY_SECONDS = 86_400;

/** Counts the mails that tenants send by hand to addresses of their choice, so that nobody makes a mail relay of the service. */
@Injectable()
export class MailLimits {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /** @throws RateLimited when the tenant, or all tenants together for this recipient, have sent what a day allows */
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

/** A digest, since counts may be kept in Redis. What stands behind a plus leads to the same mailbox. */
const mailboxKey = (address: string): string =>
  createHash('sha256')
    .update(address.toLowerCase().replace(/\+[^@]*(?=@)/, ''))
    .digest('base64url');
