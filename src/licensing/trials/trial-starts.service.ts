import { Injectable } from '@nestjs/common';
import { newRow } from '../../common/database/index.js';
import { digestOf, mailboxOf } from '../../common/fields/index.js';
import { CodesService } from '../codes/index.js';
import { LicenseEventsService } from '../events/index.js';
import { endOfTrial } from './trial-rule.js';
import { TrialsRepository, type TrialOffer } from './trials.repository.js';

/** A trial that is to start. */
interface NewTrial {
  readonly tenantId: string;
  readonly extensionId: string;
  readonly device: Buffer;
  readonly label: string | null;
  /** The confirmed address; null where the plan asks for none. */
  readonly email: string | null;
  readonly offer: Pick<TrialOffer, 'planId' | 'days'>;
}

/** Starts trials, and keeps an address to one of each extension. The device is locked. */
@Injectable()
export class TrialStartsService {
  constructor(
    private readonly codes: CodesService,
    private readonly trials: TrialsRepository,
    private readonly events: LicenseEventsService,
  ) {}

  /** Starts a trial in the current transaction. @returns its end; null when the address has had one */
  async start({ tenantId, extensionId, device, label, email, offer }: NewTrial, now: Date): Promise<Date | null> {
    const digests = email === null ? [] : this.digestsOf(extensionId, email);
    if (email !== null && (await this.trials.isTaken(extensionId, digests))) return null;
    const endsAt = endOfTrial(now, offer.days);
    const { id } = newRow(now);
    const [emailDigest = null] = digests;
    const heard = await this.trials.start({
      id,
      tenantId,
      extensionId,
      planId: offer.planId,
      fingerprintDigest: device,
      label,
      email,
      emailDigest,
      startedAt: now,
      endsAt,
    });
    if (heard === null) return null;
    await this.events.tellHeard(heard, [{ kind: 'license.trial_started', trialId: id, reason: null }]);
    return endsAt;
  }

  /** The digests under which an address may be stored, that of the current pepper first. */
  private digestsOf(extensionId: string, email: string): readonly Buffer[] {
    return this.codes.possibleDigests(`trial:${extensionId}:${digestOf(mailboxOf(email))}`);
  }
}
