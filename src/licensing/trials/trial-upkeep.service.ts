import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Transactions } from '../../common/database/index.js';
import { Clock, HOUR_MS, MINUTE_MS } from '../../common/system/index.js';
import { LicenseEventsService } from '../events/index.js';
import { type LicenseEntity, LicenseLifecycleService } from '../licenses/index.js';
import { TrialLinksRepository } from './trial-links.repository.js';
import { TrialsRepository } from './trials.repository.js';

/** Trials of one transaction. */
const PAGE = 500;

/** Tells which trials have ended, each once however many processes look, and drops what is known of their users. */
@Injectable()
export class TrialUpkeepService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly trials: TrialsRepository,
    private readonly links: TrialLinksRepository,
    private readonly events: LicenseEventsService,
    private readonly lifecycle: LicenseLifecycleService,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeErase.add((license) => this.erase(license));
  }

  /** Tells which trials have ended, in pages. */
  @Interval('trial-end', MINUTE_MS)
  async tellEnded(): Promise<void> {
    while ((await this.tx.run(() => this.tellPage())) === PAGE);
  }

  /** Drops addresses and labels of old trials, and links that no longer work. */
  @Interval('trial-cleanup', HOUR_MS)
  async forget(): Promise<void> {
    const now = this.clock.now();
    await this.links.deleteExpired(now);
    while ((await this.trials.forgetNames(now, PAGE)) === PAGE);
  }

  /** @returns how many have ended */
  private async tellPage(): Promise<number> {
    const ended = await this.trials.takeEnded(this.clock.now(), PAGE);
    await this.events.tell(ended.map((trialId) => ({ kind: 'license.trial_ended', trialId, reason: 'time' })));
    return ended.length;
  }

  private async erase({ tenantId, id, buyerEmail }: LicenseEntity): Promise<void> {
    await this.events.trialsErased.run(await this.trials.eraseBuyer(tenantId, buyerEmail, id));
    if (buyerEmail !== null) await this.links.deleteOf(tenantId, buyerEmail);
  }
}
