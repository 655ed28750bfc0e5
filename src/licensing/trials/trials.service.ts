import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import { Semaphore } from '../../common/jobs/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { LeaseKeysService, type TrialReason } from '../leases/index.js';
import { entitlementsOf } from '../licenses/index.js';
import { LicensingNotEnabled } from '../licensing.problems.js';
import { fingerprintDigest, fingerprintHash, labelOf, nextCheckAt } from '../seats/index.js';
import { TooManyTrials, TrialLimitsService } from './trial-limits.service.js';
import { TrialMailsService, type Asking } from './trial-mails.service.js';
import { decideTrial, type TrialDecision } from './trial-rule.js';
import { TrialStartsService } from './trial-starts.service.js';
import type { StartTrial, TrialAnswer } from './trials.dto.js';
import { TrialsRepository, type TrialLookup, type TrialOffer } from './trials.repository.js';

/** Transactions that begin a trial, as few as those that seat a device. */
const BEGINNINGS_AT_ONCE = 4;
const MAX_WAITING = 5000;

/** A device that waits for its user to press a button asks again soon. */
const CHECK_UNCONFIRMED_MS = MINUTE_MS;

interface Outcome {
  readonly lookup: TrialLookup;
  readonly reason: TrialReason;
}

/** Gives devices their trials. */
@Injectable()
export class TrialsService {
  /** A burst of trials must leave connections to everything else. */
  private readonly beginnings = new Semaphore(BEGINNINGS_AT_ONCE, MAX_WAITING);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly trials: TrialsRepository,
    private readonly starts: TrialStartsService,
    private readonly limits: TrialLimitsService,
    private readonly mails: TrialMailsService,
    private readonly keys: LeaseKeysService,
  ) {}

  /** Answers a device about its trial, which the first request begins. An address learns nothing here: only its mailbox does. */
  async ask(input: StartTrial, address: string): Promise<TrialAnswer> {
    const extensionId = uuidOrNil(input.extensionId);
    const device = fingerprintDigest(extensionId, input.fingerprint);
    const label = labelOf(input.deviceInfo) ?? null;
    const asking = { extensionId, device, label, email: input.email ?? null, address };
    const { lookup, decision } = await this.decide(asking);
    const outcome = decision.act === 'answer' ? { lookup, reason: decision.reason } : await this.begin(asking, lookup);
    return this.answer(outcome, asking, input);
  }

  private async begin(asking: Asking, lookup: TrialLookup): Promise<Outcome> {
    try {
      return await this.beginnings.run(() => this.tx.run(() => this.beginLocked(asking)));
    } catch (error) {
      if (!(error instanceof TooManyTrials)) throw error;
      await this.limits.countRefused(asking.extensionId, this.clock.now());
      return { lookup, reason: 'limit_reached' };
    }
  }

  /** Decides once more while the device is locked, and does it in the same transaction. */
  private async beginLocked(asking: Asking): Promise<Outcome> {
    await this.trials.lockDevice(asking.device);
    const { lookup, decision } = await this.decide(asking);
    const { reason, act } = decision;
    if (lookup.offer === null || act === 'answer') return { lookup, reason };
    if (act === 'mail') await this.mails.send(asking, lookup);
    if (act !== 'start') return { lookup, reason };
    const trial = await this.start(asking, lookup.tenantId, lookup.offer);
    return { lookup: { ...lookup, trial }, reason };
  }

  private async start(asking: Asking, tenantId: string, offer: TrialOffer): Promise<TrialLookup['trial']> {
    const now = this.clock.now();
    const { extensionId, device, label, address } = asking;
    const endsAt = await this.starts.start({ tenantId, extensionId, device, label, email: null, offer }, now);
    if (endsAt === null) throw new Error('A locked device without a trial can start one');
    await this.limits.count(extensionId, address, now);
    return { endsAt, convertedAt: null, tier: offer.tier, entitlements: offer.entitlements };
  }

  private async decide({
    extensionId,
    device,
    email,
  }: Asking): Promise<{ lookup: TrialLookup; decision: TrialDecision }> {
    const now = this.clock.now();
    const found = await this.trials.find(extensionId, device, now);
    if (!found?.extension.isEnabled) throw new LicensingNotEnabled();
    const lookup = { ...found, offer: this.limits.offered(found.offer, found.begunToday) };
    return { lookup, decision: decideTrial({ ...lookup, email }, now) };
  }

  private async answer(
    { lookup: { extension, trial, offer }, reason }: Outcome,
    { extensionId, device }: Asking,
    { fingerprint, nonce }: StartTrial,
  ): Promise<TrialAnswer> {
    const now = this.clock.now();
    const isActive = reason === 'trial_active';
    const tier = (trial ?? offer)?.tier ?? null;
    const entitlements = isActive && trial !== null ? entitlementsOf(trial.entitlements) : [];
    const trialEndsAt = trial?.endsAt ?? null;
    const lease = await this.keys.lease(extension.keyId, {
      isActive,
      reason,
      tier,
      entitlements,
      expiresAt: trialEndsAt,
      updatesUntil: null,
      extensionId,
      licenseId: null,
      fingerprintHash: fingerprintHash(fingerprint),
      offlineGraceDays: extension.offlineGraceDays,
      nonce: nonce ?? null,
      isTrial: true,
    });
    return {
      isActive,
      reason,
      tier,
      trialEndsAt,
      nextCheckAt:
        reason === 'email_unconfirmed'
          ? new Date(now.getTime() + CHECK_UNCONFIRMED_MS)
          : nextCheckAt(now, device[0] ?? 0, trialEndsAt),
      lease,
      ...(entitlements.length === 0 ? {} : { entitlements }),
    };
  }
}
