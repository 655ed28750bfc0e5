import { Injectable } from '@nestjs/common';
import { ArtifactsService, type PinnedArtifact } from '../artifacts/index.js';
import { AuditLog } from '../platform/audit/index.js';
import { Transactions } from '../common/database/index.js';
import { Clock } from '../common/system/index.js';
import { ExtensionsService } from '../registry/index.js';
import { Stores } from '../stores/index.js';
import { rescheduled, TargetsRepository, TargetStatusRepository, type TargetWithStatus } from '../targets/index.js';
import type { DryRun, PlannedTarget, ReconciledTarget, ReconcileResult } from './reconcile.dto.js';
import { platformsOf } from './planning/context.js';
import { postponementSentence } from './planning/plan.js';
import { TargetDriverService } from './target-driver.service.js';

/** Reconciles on demand, and previews what that would do. */
@Injectable()
export class ReconcileService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly statuses: TargetStatusRepository,
    private readonly artifacts: ArtifactsService,
    private readonly driver: TargetDriverService,
    private readonly audit: AuditLog,
  ) {}

  /** Reconciles the extension's enabled targets concurrently; the failure of one never hides the result of another. */
  async reconcile(tenantId: string, extensionId: string): Promise<ReconcileResult> {
    const extension = await this.extensions.getOrThrow(tenantId, extensionId);
    const targets = (await this.targets.findAll(extensionId)).filter(({ enabled }) => enabled);
    if (targets.length > 0) await this.tx.run(() => this.audit.record(tenantId, 'extension.reconciled', extension));
    return { targets: await Promise.all(targets.map((target) => this.runNow(target))) };
  }

  /** Lets stores that review the extension be asked soon, because somebody waits. */
  async watch(tenantId: string, extensionId: string): Promise<void> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    await this.statuses.checkSoon(extensionId, this.clock.now());
  }

  /**
   * Asks each store, and returns what each target would do next. Changes nothing at a store; a target whose store has news is due at once.
   * @param artifactId what to plan with, as though it were pinned
   */
  async dryRun(tenantId: string, extensionId: string, artifactId?: string): Promise<DryRun> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    const artifact =
      artifactId === undefined ? null : await this.artifacts.getPinnable(tenantId, extensionId, artifactId);
    const targets = await this.targets.findAll(extensionId);
    const planned = targets.flatMap((target) =>
      platformsOf(this.stores.for(target.store), target).map((platform) => this.preview(target, platform, artifact)),
    );
    return { targets: await Promise.all(planned) };
  }

  private async runNow(target: TargetWithStatus): Promise<ReconciledTarget> {
    const { id: targetId, store } = target;
    const { phase, message, nextCheckAt } = target.status;
    if (nextCheckAt === null) return { targetId, store, phase, steps: [], nextCheckAt, message };
    const locked = await this.statuses.takeOne(targetId);
    if (locked !== null) return this.driver.run(locked);
    const until = await this.statuses.locks.lockedUntil(targetId);
    const because = 'Another worker is processing this target.';
    return {
      targetId,
      store,
      phase,
      steps: [{ step: 'wait', because, outcome: 'none' }],
      nextCheckAt: until ?? nextCheckAt,
      message,
    };
  }

  private async preview(
    target: TargetWithStatus,
    platform: string | null,
    artifact: PinnedArtifact | null,
  ): Promise<PlannedTarget> {
    const { id: targetId, store } = target;
    // A pin reschedules.
    const status = artifact === null ? target.status : rescheduled(target, this.clock.now());
    const { phase, message, nextCheckAt } = status;
    const ids = { targetId, store, ...(platform === null ? {} : { platform }) };
    if (nextCheckAt === null) return { ...ids, phase, step: 'nothing', because: message };
    const preview = await this.driver.preview(target, platform, artifact);
    if ('postponed' in preview) {
      const { until, isFromStore } = preview.postponed;
      return {
        ...ids,
        phase,
        step: 'wait',
        because: postponementSentence(this.stores.for(store).title, until, isFromStore),
      };
    }
    if ('effect' in preview) {
      const { effect } = preview;
      const step = effect.isFailure && effect.phase !== 'backing_off' ? 'ask_human' : 'wait';
      return { ...ids, phase: effect.phase, step, because: effect.message };
    }
    const { plan } = preview;
    const now = this.clock.now();
    if (artifact === null && plan.phase !== phase && nextCheckAt > now) await this.statuses.makeDue(targetId, now);
    return { ...ids, phase: plan.phase, step: plan.step, because: plan.because };
  }
}
