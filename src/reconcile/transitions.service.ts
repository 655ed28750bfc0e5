import { Injectable } from '@nestjs/common';
import { Clock, HOUR_MS, SECOND_MS } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { Metrics } from '../common/observability/index.js';
import { FindingsService } from '../artifacts/index.js';
import { EventsService } from '../registry/index.js';
import {
  phaseSince,
  TargetStatusRepository,
  withoutOverwriting,
  type TargetStatus,
  type TargetWithStatus,
} from '../targets/index.js';
import { credentialOf, type TargetContext } from './planning/context.js';
import { newlyTaken } from './planning/release-facts.js';
import type { Timing, Transition } from './planning/transition/index.js';
import { ReleasesRepository } from './releases/releases.repository.js';
import { ServedFilesService } from './served-files.service.js';
import { StoreBudgetsRepository } from './store-budgets.repository.js';

/** Condition that a locked target must still meet for a transition to be written. */
type Condition = (current: TargetWithStatus, before: TargetWithStatus) => boolean;

/** Persists transitions: releases, the target's status and the timeline in one transaction, under the worker's work lock. */
@Injectable()
export class TransitionsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly statuses: TargetStatusRepository,
    private readonly releases: ReleasesRepository,
    private readonly budgets: StoreBudgetsRepository,
    private readonly events: EventsService,
    private readonly metrics: Metrics,
    private readonly findings: FindingsService,
    private readonly servedFiles: ServedFilesService,
  ) {}

  /** Inputs of a transition besides the target and the event. */
  get timing(): Timing {
    const { reviewCheckSeconds, stalledAfterHours } = this.config;
    const [reviewMs, stalledAfterMs] = [reviewCheckSeconds * SECOND_MS, stalledAfterHours * HOUR_MS];
    return { now: this.clock.now(), random: Math.random(), reviewMs, stalledAfterMs };
  }

  /**
   * Writes a transition.
   * @param before what it was decided on
   * @param prepare what else belongs to the transaction; false when it cannot be done
   * @returns false when the work lock was lost, the condition no longer holds or `prepare` failed; then nothing was written
   */
  persist(
    before: TargetContext,
    { state, status, timeline, throttle }: Transition,
    condition: Condition = () => true,
    prepare: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    const { target } = before;
    return this.tx.run(async () => {
      const current = await this.statuses.findForUpdate(target);
      if (current === null || !condition(current, target) || !(await prepare())) return false;
      if (throttle !== null) {
        await this.budgets.throttle(credentialOf(target), throttle.calls, throttle.until);
        this.tx.afterCommit(() => this.metrics.throttles.inc({ store: target.store }));
      }
      await this.releases.saveChanges(before.releases, state.releases);
      for (const { artifactId } of newlyTaken(before.releases, state.releases))
        await this.findings.noteAccepted(artifactId, target);
      if (status !== null) await this.write(current, withoutOverwriting(current, target, status));
      // What a store does is its own, also when a person had it checked.
      await this.events.append(...timeline.map((event) => ({ ...event, actor: null })));
      return true;
    });
  }

  private async write(current: TargetWithStatus, change: Partial<TargetStatus>): Promise<void> {
    const { id, status } = current;
    const since = phaseSince(status, change.phase ?? status.phase, this.clock.now());
    await this.statuses.update(id, { ...change, phaseSince: since });
    if (change.liveVersion != null && change.liveVersion !== status.liveVersion)
      await this.servedFiles.versionChanged.run(current);
  }
}
