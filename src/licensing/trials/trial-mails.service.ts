import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow } from '../../common/database/index.js';
import { digestOf, newSecret } from '../../common/fields/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { MailLimitsService, OutboxService } from '../../platform/mail/index.js';
import { BrandingService } from '../branding/index.js';
import { TrialLimitsService } from './trial-limits.service.js';
import { TrialLinksRepository } from './trial-links.repository.js';
import { trialMail } from './trial-mail.js';
import { TrialMailUnavailable } from './trials.problems.js';
import type { TrialLookup } from './trials.repository.js';

/** A link works so long: some people read their mail in the evening. */
const LINK_LIFETIME_MS = DAY_MS;

/** A device that asks for a trial. */
export interface Asking {
  readonly extensionId: string;
  readonly device: Buffer;
  readonly label: string | null;
  readonly email: string | null;
  readonly address: string;
}

/** Mails links that start trials. */
@Injectable()
export class TrialMailsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly links: TrialLinksRepository,
    private readonly limits: TrialLimitsService,
    private readonly mailLimits: MailLimitsService,
    private readonly outbox: OutboxService,
    private readonly branding: BrandingService,
  ) {}

  /** Mails a link to an address, known or not, in the current transaction. @throws TrialMailUnavailable, RateLimited */
  async send({ extensionId, device, label, email, address }: Asking, lookup: TrialLookup): Promise<void> {
    const { tenantId, extensionName, offer, link } = lookup;
    if (email === null || offer === null) return;
    if (this.config.smtpUrl === undefined) throw new TrialMailUnavailable();
    await this.mailLimits.countLink('trial-links', email);
    const now = this.clock.now();
    const secret = newSecret();
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
    const row = { ...newRow(now), email, secretDigest: digestOf(secret), expiresAt };
    const about = { tenantId, planId: offer.planId, extensionId, fingerprintDigest: device, label, outcome: null };
    await this.links.insert({ ...row, ...about });
    const { sender } = await this.branding.letterheadOf(tenantId);
    const url = `${this.config.publicUrl}/buyer/trial?token=${secret}`;
    const mail = trialMail({ extensionName, days: offer.days, url, sender });
    await this.outbox.add({ purpose: 'trial-link', aboutId: row.id, tenantId, to: email, expiresAt, ...mail });
    if (link?.email !== email) await this.limits.countLink(extensionId, address, now);
  }
}
