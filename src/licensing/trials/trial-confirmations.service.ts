import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { digestOf } from '../../common/fields/index.js';
import type { PageAnswer } from '../../common/http/index.js';
import { Clock } from '../../common/system/index.js';
import { BrandingService } from '../branding/index.js';
import type { LinkOutcome } from './trial.entity.js';
import { decideTrial } from './trial-rule.js';
import { TrialLinksRepository, type TrialLinkRow } from './trial-links.repository.js';
import { confirmTrialPage, trialPage, trialTakenPage } from './trial-pages.js';
import { TrialLimitsService } from './trial-limits.service.js';
import { TrialStartsService } from './trial-starts.service.js';
import { TrialLinkSpent, TrialNotNeeded, TrialWithdrawn } from './trials.problems.js';
import { TrialsRepository } from './trials.repository.js';

/** Starts trials on devices whose users press the button of their mailed link. */
@Injectable()
export class TrialConfirmationsService {
  private readonly home: string;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly links: TrialLinksRepository,
    private readonly trials: TrialsRepository,
    private readonly starts: TrialStartsService,
    private readonly limits: TrialLimitsService,
    private readonly branding: BrandingService,
  ) {
    this.home = `${config.basePath}/buyer`;
  }

  /** Shows the button, also for a link that no longer works: the button tells. */
  async show(token: string): Promise<PageAnswer> {
    const link = await this.links.find(digestOf(token), this.clock.now());
    const brand = link === null ? null : await this.branding.brandOf(link.tenantId);
    return confirmTrialPage(this.home, token.slice(0, 64), link?.plan?.extension?.name ?? 'the extension', brand);
  }

  /** Starts the trial. Pressing the button again shows the same page. */
  async confirm(token: string): Promise<PageAnswer> {
    const { tenantId, extensionName, endsAt } = await this.tx.run(() => this.confirmLocked(token));
    const brand = await this.branding.brandOf(tenantId);
    return endsAt === null
      ? trialTakenPage(extensionName, brand)
      : trialPage(extensionName, endsAt, this.clock.now(), brand);
  }

  private async confirmLocked(token: string) {
    const now = this.clock.now();
    const link = found(await this.links.findForUpdate(digestOf(token), now));
    const { tenantId, extensionId, fingerprintDigest: device } = link;
    await this.trials.lockDevice(device);
    const lookup = found(await this.trials.find(extensionId, device, now));
    const { extensionName, offer, isSeated, trial } = lookup;
    let endsAt = trial?.endsAt ?? null;
    if (endsAt === null && link.outcome === null) {
      if (offer === null) throw new TrialWithdrawn();
      const { label, email } = link;
      // The link confirms the address.
      const facts = { trial, isSeated, offer: { needsEmail: false }, link: null, email };
      if (decideTrial(facts, now).act !== 'start') throw new TrialNotNeeded();
      endsAt = await this.starts.start({ tenantId, extensionId, device, label, email, offer }, now);
      if (endsAt !== null) await this.limits.countConfirmed(extensionId, now);
    }
    await this.settle(link, endsAt === null ? 'taken' : 'started', now);
    return { tenantId, extensionName, endsAt };
  }

  private async settle(link: TrialLinkRow, outcome: LinkOutcome, now: Date): Promise<void> {
    if (link.outcome === null) await this.links.setOutcome(link.id, outcome, now);
  }
}

function found<Found extends object>(link: Found | null): Found {
  if (link === null) throw new TrialLinkSpent();
  return link;
}
