import { Injectable } from '@nestjs/common';
import { timeOfChange, Transactions } from '../../common/database/index.js';
import { pageFrom, type Page } from '../../common/fields/index.js';
import type { Precondition } from '../../common/http/index.js';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { LicenseEventsService } from '../events/index.js';
import { MAX_TRIAL_DAYS } from '../plans/index.js';
import { TrialLinksRepository } from './trial-links.repository.js';
import { conversionOf, endOfTrial, trialStateOf } from './trial-rule.js';
import type { ListTrials, Trial, TrialSummary, UpdateTrial } from './trials.dto.js';
import { TrialConverted, TrialNotFound } from './trials.problems.js';
import { TrialsRepository, type ListedTrial } from './trials.repository.js';

const SUMMARIZED_MS = 30 * DAY_MS;
const TOO_LATE = { field: 'endsAt', message: `must be within ${MAX_TRIAL_DAYS} days from now.` };

/** Trials, for their tenant. */
@Injectable()
export class TrialDeskService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly trials: TrialsRepository,
    private readonly links: TrialLinksRepository,
    private readonly extensions: ExtensionsService,
    private readonly events: LicenseEventsService,
    private readonly audit: AuditLog,
  ) {}

  /** Lists trials, newest first. */
  async list(tenantId: string, query: ListTrials): Promise<Page<Trial>> {
    if (query.extension !== undefined) await this.extensions.getOrThrow(tenantId, query.extension);
    const now = this.clock.now();
    return pageFrom(
      query,
      (start) => this.trials.list(tenantId, query, start, now),
      (row) => toTrial(row, now),
    );
  }

  /** Counts trials. */
  async summarize(tenantId: string, extension: string | undefined): Promise<TrialSummary> {
    if (extension !== undefined) await this.extensions.getOrThrow(tenantId, extension);
    const now = this.clock.now();
    const since = new Date(now.getTime() - SUMMARIZED_MS);
    const counts = await this.trials.count(tenantId, extension ?? null, since, now);
    return { ...counts, conversion: conversionOf(counts) };
  }

  /** Retrieves a trial. */
  async get(tenantId: string, id: string): Promise<Trial> {
    return toTrial(orThrow(await this.trials.findListed(tenantId, id), TrialNotFound), this.clock.now());
  }

  /** Moves the end of a trial: earlier ends it, later prolongs it, or gives the device one again. */
  async update(tenantId: string, id: string, input: UpdateTrial, expected: Precondition): Promise<Trial> {
    return this.tx.run(async () => {
      const row = orThrow(await this.trials.findForUpdate(tenantId, id), TrialNotFound);
      expected.check(row);
      if (row.convertedAt !== null) throw new TrialConverted();
      const now = this.clock.now();
      const wanted = new Date(input.endsAt);
      if (wanted > endOfTrial(now, MAX_TRIAL_DAYS)) throw new InvalidRequest([TOO_LATE]);
      const wasRunning = row.endsAt > now;
      if (wanted <= now && !wasRunning) return this.get(tenantId, id);
      const endsAt = wanted > now ? wanted : now;
      const change = { endsAt, endToldAt: wanted > now ? null : now, updatedAt: timeOfChange(row, now) };
      await this.trials.change(id, change);
      if (wanted <= now) await this.events.tell([{ kind: 'license.trial_ended', trialId: id, reason: 'tenant' }]);
      await this.audit.record(tenantId, 'trial.updated', row, { before: row, after: { ...row, ...change } });
      return this.get(tenantId, id);
    });
  }

  /** Deletes a trial with everything that is known of its device and address: both can have another. */
  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const row = orThrow(await this.trials.findForUpdate(tenantId, id), TrialNotFound);
      expected.check(row);
      if (trialStateOf(row, this.clock.now()) === 'running')
        await this.events.tellNow([{ kind: 'license.trial_ended', trialId: id, reason: 'erasure' }]);
      await this.events.trialsErased.run([id]);
      // Before the trial: a confirmation that holds a link never waits for the trial, which is only locked.
      await this.links.deleteOfDevice(row.extensionId, row.fingerprintDigest);
      if (row.email !== null) await this.links.deleteOf(tenantId, row.email);
      await this.trials.delete(id);
      await this.audit.record(tenantId, 'trial.deleted', row, { before: row });
    });
  }
}

const toTrial = (row: ListedTrial, now: Date): Trial => ({
  id: row.id,
  extensionId: row.extensionId,
  planId: row.planId,
  tier: row.tier,
  state: trialStateOf(row, now),
  email: row.email,
  label: row.label,
  startedAt: row.startedAt,
  endsAt: row.endsAt,
  convertedAt: row.convertedAt,
  licenseId: row.licenseId,
  updatedAt: row.updatedAt,
});
