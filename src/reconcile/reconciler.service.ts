import { clearInterval, setInterval } from 'node:timers';
import { Injectable, Logger } from '@nestjs/common';
import { ArtifactsService } from '../artifacts/index.js';
import { Clock } from '../common/clock/clock.js';
import { Transactions } from '../common/database/index.js';
import { CredentialsService } from '../credentials/index.js';
import { StoreFailure, Stores } from '../stores/index.js';
import { RENEW_EVERY_MS, TargetWork, trackOf, type KnownTarget, type LeasedTarget } from '../targets/index.js';
import { Executor, isCalling, type CallingStep } from './executor.service.js';
import { decide, itemOf, tracksOf, versionsOf, type Knowledge, type Look } from './planning/look.js';
import type { CarriedStep, ReconciledTarget } from './reconcile.dto.js';
import { ReleasesService } from './releases/releases.service.js';
import { StoreBudget } from './store-budget.js';
import { TargetRecord, type At } from './target-record.service.js';
import { judge, type Verdict } from './planning/verdicts.js';

/** More steps than any store needs for one version; a store that lies in circles ends here. */
const MOST_STEPS = 8;
/** One look and one step. */
const CALLS = 2;

/** The phase of a target whose store has taken a step and is still at it. */
const PENDING_PHASES = {
  upload: 'validating',
  poll: 'validating',
  submit: 'in_review',
  release: 'releasing',
  rollout: 'live',
  rollback: 'releasing',
  cancel: 'queued',
} as const;

/** How one round with a store ended: go on with the next, or stop. */
type Round = { readonly step: CarriedStep | null; readonly goOn: boolean };

/**
 * Drives one target as far as its store lets it: look, decide, one step, look again. Crash recovery is the same code as normal running.
 */
@Injectable()
export class Reconciler {
  private readonly log = new Logger(Reconciler.name);
  private isStopping = false;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly stores: Stores,
    private readonly work: TargetWork,
    private readonly artifacts: ArtifactsService,
    private readonly credentials: CredentialsService,
    private readonly releases: ReleasesService,
    private readonly executor: Executor,
    private readonly record: TargetRecord,
    private readonly budget: StoreBudget,
  ) {}

  /** Lets the steps in hand end, and begins no other, whoever asked for them. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Works on a target under its lease, and gives the lease back. Never throws: whatever happens is told in the result and on the target.
   */
  async run(leased: LeasedTarget): Promise<ReconciledTarget> {
    const renewing = setInterval(() => void this.work.renew(leased).catch(() => undefined), RENEW_EVERY_MS);
    const steps: CarriedStep[] = [];
    try {
      for (const platform of tracksOf(this.stores.for(leased.store), leased))
        await this.follow(leased, platform, steps);
    } catch (error) {
      this.log.error({ msg: 'reconcile failed', targetId: leased.id, err: error });
      await this.settleFault(leased).catch((second: unknown) =>
        this.log.error({ msg: 'fault not recorded', err: second }),
      );
    } finally {
      clearInterval(renewing);
    }
    const { phase, nextCheckAt, message } = (await this.work.reload(leased).catch(() => null)) ?? leased;
    await this.work
      .release(leased)
      .catch((error: unknown) => this.log.warn({ msg: 'lease not given back', err: error }));
    return { targetId: leased.id, store: leased.store, phase, steps, nextCheckAt, message };
  }

  /** What a target would do next, after really asking its store; nothing is written and no lease is needed. */
  async preview(
    target: KnownTarget,
    platform: string | null,
  ): Promise<{ readonly look: Look<KnownTarget> } | { readonly verdict: Verdict }> {
    const knowledge = await this.know(platform === null ? target : trackOf(target, platform), platform);
    try {
      return { look: (await this.look(knowledge)).look };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      return { verdict: judge(error, this.contextOf(knowledge, await this.labelOf(target))) };
    }
  }

  /** One round after another, until there is nothing more to do now. */
  private async follow(leased: LeasedTarget, platform: string | null, steps: CarriedStep[]): Promise<void> {
    for (let round = 1; round <= MOST_STEPS && !this.isStopping; round += 1) {
      const { step, goOn } = await this.round(leased, platform, round === MOST_STEPS);
      if (step !== null) steps.push(platform === null ? step : { ...step, platform });
      if (!goOn) break;
    }
  }

  private async round(leased: LeasedTarget, platform: string | null, isLast: boolean): Promise<Round> {
    const whole = await this.work.reload(leased);
    if (whole === null || whole.nextCheckAt === null) return { step: null, goOn: false };
    const target = platform === null ? whole : trackOf(whole, platform);
    const postponed = await this.postponed({ target, platform });
    if (postponed !== null) return { step: postponed, goOn: false };
    const knowledge = await this.know(target, platform);
    const seen = await this.look(knowledge).catch((error: unknown) => this.asFailure(error));
    if (seen instanceof StoreFailure) {
      const step = await this.settleFailure(knowledge, seen);
      return { step, goOn: false };
    }
    const { look, secrets } = seen;
    const begun = await this.settleLook(look);
    if (begun === null) return { step: null, goOn: false };
    const { step, because } = look.plan;
    if (!isCalling(step)) return { step: { step, because, outcome: 'none' }, goOn: false };
    const carried = await this.executor.carryOut(step, begun, secrets);
    if (carried.outcome === 'failed') await this.settleFailure(begun, carried.failure);
    if (carried.outcome === 'pending') await this.settlePending(begun, step, carried.note);
    const outcome = carried.outcome === 'lost' ? 'none' : carried.outcome;
    // A lost lease ends the work; content replaced meanwhile leaves the lease, and the next round sees it.
    return {
      step: { step, because, outcome },
      goOn: !isLast && (carried.outcome === 'done' || carried.outcome === 'lost'),
    };
  }

  /** The store named a time, or the credential's calls of this minute are used up. */
  private async postponed({ target, platform }: At): Promise<CarriedStep | null> {
    const now = this.clock.now();
    const named = target.notBefore !== null && target.notBefore > now ? target.notBefore : null;
    const store = this.stores.for(target.store);
    const until = named ?? (await this.budget.take(credentialOf(target), store.capabilities.callsPerMinute, CALLS));
    if (until === null) return null;
    await this.record.settle({ target, platform }, { nextCheckAt: until });
    const because = `${store.title} is not asked before ${until.toISOString()}${named === null ? ', so as not to call it too often' : ', as it wished'}.`;
    return { step: 'wait', because, outcome: 'none' };
  }

  private async know<T extends KnownTarget>(target: T, platform: string | null): Promise<Knowledge<T>> {
    const pinned = await this.artifacts.pinnedFor(target.extensionId, target.store);
    const releases = await this.releases.of(target, platform);
    const release = pinned === null ? null : this.releases.currentOf(releases, target, pinned);
    return { target, platform, store: this.stores.for(target.store), pinned, releases, release };
  }

  /** The secrets serve for the step that follows as well: rotated meanwhile, they leave the target changed, and no step is made. */
  private async look<T extends KnownTarget>(
    knowledge: Knowledge<T>,
  ): Promise<{ readonly look: Look<T>; readonly secrets: object }> {
    const { target, store } = knowledge;
    const { secrets } = await this.credentials.open(credentialOf(target));
    const observed = await store.observe(secrets, itemOf(knowledge));
    return { look: { ...knowledge, observed, plan: decide(knowledge, observed, this.clock.now()) }, secrets };
  }

  /** Records what a look showed and the phase that the next step means. @returns the look with its release, or null when the lease was lost */
  private settleLook(look: Look): Promise<Look | null> {
    const { target, platform, pinned, releases, observed, plan } = look;
    return this.tx.run(async () => {
      if (!(await this.work.isHeld(target))) return null;
      const sets = isCalling(plan.step) || (plan.release !== null && plan.release !== 'superseded');
      const release =
        look.release ?? (pinned !== null && sets ? await this.releases.begin(target, platform, pinned) : null);
      if (release !== null && plan.release !== null) await this.releases.move(release, plan.release, { intent: null });
      await this.releases.followOthers(releases, release, observed);
      if (release !== null) await this.record.remind(look, release);
      const warning = observed.warned ? ' The store warns that it will take the item down unless it is changed.' : '';
      // A poll says more than the look before it, and what it says is there already.
      const isPolledAgain = plan.step === 'poll' && plan.phase === target.phase;
      const settled = await this.record.settle(
        look,
        {
          ...versionsOf(target, observed),
          phase: plan.phase,
          message: isPolledAgain ? target.message : plan.because + warning,
          desiredVersion: pinned?.storeVersion ?? null,
          checkedAt: this.clock.now(),
          notBefore: null,
          // A step that is still to be made may fail like the one before it, or end with this process: then the next one looks soon.
          ...(isCalling(plan.step) ? { nextCheckAt: this.record.nextLook('uploading', 1, null) } : { failures: 0 }),
        },
        { raw: observed.raw },
      );
      return { ...look, target: settled, release };
    });
  }

  /** The store has taken a step and is still at it; the look that led to the step has been counted. */
  private async settlePending({ target, platform }: At, step: CallingStep, message: string): Promise<void> {
    const phase = PENDING_PHASES[step];
    const looks = phase === target.phase ? target.looks : 1;
    await this.tx.run(() => this.record.settle({ target, platform }, { phase, message, looks, failures: 0 }));
  }

  private async settleFailure(knowledge: Knowledge, failure: StoreFailure): Promise<CarriedStep> {
    const { target, release } = knowledge;
    const verdict = judge(failure, this.contextOf(knowledge, await this.labelOf(target)));
    const because = verdict.message;
    const retryAt = failure.details.retryAt ?? null;
    await this.tx.run(async () => {
      if (!(await this.work.isHeld(target))) return;
      if (retryAt !== null) await this.budget.hold(credentialOf(target), retryAt);
      if (release !== null && verdict.release !== null)
        await this.releases.move(release, verdict.release, { intent: null });
      const { phase, message, isFailure } = verdict;
      const failures = isFailure ? target.failures + 1 : target.failures;
      await this.record.settle(
        knowledge,
        { phase, message, failures, notBefore: retryAt, checkedAt: this.clock.now() },
        { cause: failure.kind, raw: failure.details.raw },
      );
    });
    return {
      step: verdict.phase === 'backing_off' || !verdict.isFailure ? 'wait' : 'ask_human',
      because,
      outcome: 'failed',
    };
  }

  /** A fault of ours: backed off like a failure, and told without its cause, which is in the log. */
  private async settleFault(leased: LeasedTarget): Promise<void> {
    const target = await this.work.reload(leased);
    if (target === null) return;
    const message = 'Something went wrong in Pierhead itself; the log has the cause. It is tried again.';
    await this.tx.run(() =>
      this.record.settle(
        { target, platform: null },
        { phase: 'backing_off', message, failures: target.failures + 1, tracks: {} },
      ),
    );
  }

  private contextOf(
    { store, pinned, release }: Knowledge<KnownTarget>,
    credential: string,
  ): Parameters<typeof judge>[1] {
    return {
      storeTitle: store.title,
      credential,
      version: pinned?.storeVersion ?? null,
      isInReview: release?.state === 'in_review',
    };
  }

  private async labelOf(target: KnownTarget): Promise<string> {
    const { label, id } = await this.credentials.describe(credentialOf(target));
    return label === null ? id : `“${label}”`;
  }

  private asFailure(error: unknown): StoreFailure {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
}

function credentialOf({ credentialId }: KnownTarget): string {
  if (credentialId === null) throw new Error('Only a complete target is worked on');
  return credentialId;
}
