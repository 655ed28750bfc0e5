import { clearInterval, setInterval } from 'node:timers';
import { Injectable, Logger } from '@nestjs/common';
import { ArtifactsService, PackageLost } from '../artifacts/index.js';
import { Clock } from '../common/system/index.js';
import { Transactions } from '../common/database/index.js';
import { CredentialsService } from '../credentials/index.js';
import { StoreFailure, Stores } from '../stores/index.js';
import {
  RENEW_EVERY_MS,
  isSamePlace,
  TargetStatusRepository,
  type KnownTarget,
  type LeasedTarget,
  type Phase,
  type TargetStatus,
} from '../targets/index.js';
import { Executor, isCalling, releaseOf, type CallingStep, type Repetition } from './executor.service.js';
import { decide, itemOf, ofPlatform, tracksOf, versionsOf, type Knowledge, type Look } from './planning/look.js';
import type { CarriedStep, ReconciledTarget } from './reconcile.dto.js';
import type { ReleaseEntity } from './releases/release.entity.js';
import { ReleasesService } from './releases/releases.service.js';
import { StoreBudget } from './store-budget.js';
import { TargetRecord, type At } from './target-record.service.js';
import { judge, keepsShowing, type Verdict } from './planning/verdicts.js';

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

const drivenByAnother = (): StoreFailure =>
  new StoreFailure(
    'config',
    'Another enabled target, of this extension or of another of yours, stands for the same item. Disable one of the two.',
  );

/** A look, and the secrets that it was taken with. */
interface Seen<T extends KnownTarget = LeasedTarget> {
  readonly look: Look<T>;
  readonly secrets: object;
}

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
    private readonly statuses: TargetStatusRepository,
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
    const renewing = setInterval(() => void this.statuses.leases.renew(leased).catch(() => undefined), RENEW_EVERY_MS);
    const steps: CarriedStep[] = [];
    try {
      for (const platform of tracksOf(this.stores.for(leased.store), leased))
        await this.follow(leased, platform, steps);
    } catch (error) {
      this.log.error({ msg: 'reconcile failed', targetId: leased.id, err: error });
      await this.settleFault(leased, error).catch((second: unknown) =>
        this.log.error({ msg: 'fault not recorded', err: second }),
      );
    } finally {
      clearInterval(renewing);
    }
    const { phase, nextCheckAt, message } = ((await this.statuses.find(leased).catch(() => null)) ?? leased).status;
    await this.statuses.leases
      .giveBack(leased)
      .catch((error: unknown) => this.log.warn({ msg: 'lease not given back', err: error }));
    return { targetId: leased.id, store: leased.store, phase, steps, nextCheckAt, message };
  }

  /** What a target would do next, after really asking its store; nothing is written and no lease is needed. */
  async preview(
    target: KnownTarget,
    platform: string | null,
  ): Promise<{ readonly look: Look<KnownTarget> } | { readonly verdict: Verdict }> {
    const knowledge = await this.know(ofPlatform(target, platform), platform);
    try {
      const { look } = await this.look(knowledge);
      const itemKey = keyShown(look);
      if (itemKey !== null && (await this.record.isItemTaken(target, itemKey))) throw drivenByAnother();
      return { look };
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
    const whole = await this.statuses.find(leased);
    if (whole === null || whole.status.nextCheckAt === null) return { step: null, goOn: false };
    const target = ofPlatform(whole, platform);
    const postponed = await this.postponed({ target, platform });
    if (postponed !== null) return { step: postponed, goOn: false };
    const knowledge = await this.know(target, platform);
    const seen = await this.lookOnce(knowledge).catch(asFailure);
    if (seen instanceof StoreFailure) {
      const step = await this.settleFailure(knowledge, seen, null);
      return { step, goOn: false };
    }
    const { look, secrets } = seen;
    const begun = await this.settleLook(look);
    if (begun === null) return { step: null, goOn: false };
    const { step, because } = look.plan;
    if (!isCalling(step)) return { step: { step, because, outcome: 'none' }, goOn: false };
    const carried = await this.executor.carryOut(step, begun, secrets);
    if (carried.outcome === 'failed') await this.settleFailure(begun, carried.failure, carried);
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
    const { notBefore } = target.status;
    const named = notBefore !== null && notBefore > now ? notBefore : null;
    const store = this.stores.for(target.store);
    const until = named ?? (await this.budget.take(credentialOf(target), store.capabilities.callsPerMinute, CALLS));
    if (until === null) return null;
    await this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      if (current !== null) await this.record.settle({ target, platform }, current, { nextCheckAt: until });
    });
    const because = `${store.title} is not asked before ${until.toISOString()}${named === null ? ', so as not to call it too often' : ', as it wished'}.`;
    return { step: 'wait', because, outcome: 'none' };
  }

  private async know<T extends KnownTarget>(target: T, platform: string | null): Promise<Knowledge<T>> {
    const pinned = await this.artifacts.pinnedFor(target.extensionId, target.store);
    const releases = await this.releases.of(target, platform);
    const release = pinned === null ? null : this.releases.currentOf(releases, target, pinned);
    const isOtherContent =
      release !== null &&
      pinned !== null &&
      (await this.artifacts.wasHandedOther(release.artifactId, target.store, pinned));
    const throttles = await this.budget.throttlesOf(credentialOf(target));
    const store = this.stores.for(target.store);
    return { target, platform, store, pinned, releases, release, isOtherContent, throttles };
  }

  /** The secrets serve for the step that follows as well: rotated meanwhile, they leave the target changed, and no step is made. */
  private async look<T extends KnownTarget>(knowledge: Knowledge<T>): Promise<Seen<T>> {
    const { target, store } = knowledge;
    const { secrets } = await this.credentials.open(credentialOf(target));
    const observed = await store.observe(secrets, itemOf(knowledge));
    return { look: { ...knowledge, observed, plan: decide(knowledge, observed, this.clock.now()) }, secrets };
  }

  /** A look at an item that no other target drives. */
  private async lookOnce(knowledge: Knowledge): Promise<Seen> {
    const seen = await this.look(knowledge);
    const itemKey = keyShown(seen.look);
    if (itemKey !== null && !(await this.record.identify(knowledge.target, itemKey))) throw drivenByAnother();
    return seen;
  }

  /**
   * Records what a look showed and the phase that the next step means.
   * @returns the look with its release, or null when the lease was lost or the target stands for another place by now
   */
  private settleLook(look: Look): Promise<Look | null> {
    const { target, platform, pinned, releases, observed, plan } = look;
    return this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      if (current === null || !isSamePlace(current, target)) return null;
      const sets = isCalling(plan.step) || (plan.release !== null && plan.release !== 'superseded');
      const release =
        look.release ?? (pinned !== null && sets ? await this.releases.begin(target, platform, pinned) : null);
      if (release !== null) await this.follows(look, release);
      await this.releases.followOthers(releases, release, observed);
      if (release !== null) await this.record.remind(look, release);
      const settled = await this.record.settle(
        look,
        current,
        {
          ...versionsOf(target, observed),
          ...shownOf({ ...look, release }),
          desiredVersion: pinned?.storeVersion ?? null,
          checkedAt: this.clock.now(),
          notBefore: null,
          lookBy: plan.throttledUntil,
          // A step that is still to be made may fail like the one before it, or end with this process: then the next one looks soon.
          ...(isCalling(plan.step) ? { nextCheckAt: this.record.nextLook('uploading', 1, null) } : { failures: 0 }),
        },
        { raw: observed.raw },
      );
      return { ...look, target: settled, release };
    });
  }

  /** Moves a release to where a look shows it, inside the transaction under way; a request to release it ends with its submission. */
  private async follows({ target, plan }: Look, release: ReleaseEntity): Promise<void> {
    if (plan.release !== null) await this.releases.move(release, plan.release, { intent: null });
    const hasEnded = plan.release === 'rejected' || plan.release === 'cancelled';
    if (hasEnded && target.status.releaseRequested === release.version) target.status.releaseRequested = null;
    if (release.refusal !== null && !isCalling(plan.step) && plan.throttledUntil === undefined)
      await this.releases.move(release, null, { refusal: null });
  }

  /** The store has taken a step and is still at it; the look that led to the step has been counted. */
  private async settlePending(look: Look, step: CallingStep, note: string): Promise<void> {
    const { target } = look;
    const planned = PENDING_PHASES[step];
    const isKept = isRefused(look, planned);
    const [phase, message] = isKept ? [target.status.phase, target.status.message] : [planned, note];
    const looks = looksAfterStep(target.status, phase);
    const soon = isKept ? { nextCheckAt: this.record.nextLook(planned, looks, null) } : {};
    // What was refused before, and is only taken in again, may well be refused again: it goes on being backed off.
    const failures = isKept ? target.status.failures : 0;
    await this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      if (current !== null) await this.record.settle(look, current, { phase, message, looks, failures, ...soon });
    });
  }

  /** @param step whether it was a step that failed, and not the look before it, and in the words of the time before */
  private async settleFailure(
    knowledge: Knowledge,
    failure: StoreFailure,
    step: Repetition | null,
  ): Promise<CarriedStep> {
    const { target, release } = knowledge;
    const verdict = judge(failure, {
      ...this.contextOf(knowledge, await this.labelOf(target)),
      times: step?.times ?? 1,
    });
    const because = verdict.message;
    const { retryAt, throttles } = failure.details;
    await this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      if (current === null) return;
      if (retryAt !== undefined) await this.budget.hold(credentialOf(target), throttles ?? 'all', retryAt);
      if (release !== null && verdict.release !== null)
        await this.releases.move(release, verdict.release, { intent: null });
      const { phase, message, isFailure } = verdict;
      const failures = isFailure ? target.status.failures + 1 : target.status.failures;
      await this.record.settle(
        knowledge,
        current,
        {
          phase,
          message,
          failures,
          ...(throttles === undefined ? { notBefore: retryAt ?? null } : { notBefore: null, lookBy: retryAt }),
          checkedAt: this.clock.now(),
          ...(step === null ? {} : { looks: looksAfterStep(target.status, phase) }),
        },
        {
          cause: failure.kind,
          raw: failure.details.raw,
          ...(isFailure && step !== null ? { isRepeated: step.isRepeated } : {}),
        },
      );
    });
    return {
      step: verdict.phase === 'backing_off' || !verdict.isFailure ? 'wait' : 'ask_human',
      because,
      outcome: 'failed',
    };
  }

  /** A fault of ours: backed off like a failure, and told without its cause, which is in the log; a lost package waits for its author. */
  private async settleFault(leased: LeasedTarget, fault: unknown): Promise<void> {
    const target = await this.statuses.find(leased);
    if (target === null) return;
    const told: Pick<TargetStatus, 'phase' | 'message'> =
      fault instanceof PackageLost
        ? { phase: 'action_required', message: fault.message }
        : {
            phase: 'backing_off',
            message: 'Something went wrong in Pierhead itself; the log has the cause. It is tried again.',
          };
    await this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      const failures = target.status.failures + 1;
      if (current !== null)
        await this.record.settle({ target, platform: null }, current, { ...told, failures, tracks: {} });
    });
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
}

function asFailure(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  throw error;
}

/** By which key the store's own id has the item compared with those of other targets; null where that is known already. */
function keyShown({ store, target, observed: { itemId } }: Look<KnownTarget>): string | null {
  const itemKey = itemId === undefined ? target.itemKey : store.itemKeyOf(itemId);
  return itemKey === target.itemKey ? null : itemKey;
}

/** The phase and message of a target after a look. */
function shownOf(look: Look): Pick<TargetStatus, 'phase' | 'message'> {
  const { target, plan, observed } = look;
  if (isRefused(look, plan.phase)) return { phase: target.status.phase, message: target.status.message };
  const { phase } = plan;
  // A poll says more than the look before it, and what it says is there already.
  if (plan.step === 'poll' && phase === target.status.phase) return { phase, message: target.status.message };
  const warning = observed.warned ? ' The store warns that it will take the item down unless it is changed.' : '';
  return { phase, message: plan.because + warning };
}

/** Whether the target shows a refusal still, while the step that the store is asked for now would mean another phase. */
function isRefused(look: Look, phase: Phase): boolean {
  const { step } = look.plan;
  return isCalling(step) && keepsShowing(releaseOf(step, look)?.refusal ?? null, look.target.status.phase, phase);
}

/** The look that led to a step has been counted. */
const looksAfterStep = ({ looks, phase: shown }: TargetStatus, phase: Phase): number => (phase === shown ? looks : 1);

function credentialOf({ credentialId }: KnownTarget): string {
  if (credentialId === null) throw new Error('Only a complete target is worked on');
  return credentialId;
}
