import { Injectable } from '@nestjs/common';
import { ArtifactsService, PackageLost, type PinnedArtifact } from '../artifacts/index.js';
import { Clock } from '../common/system/index.js';
import { Transactions } from '../common/database/index.js';
import { underRight } from '../common/net/index.js';
import { newId } from '../common/fields/index.js';
import { Metrics } from '../common/observability/index.js';
import {
  compareVersions,
  StoreFailure,
  type Observed,
  type StepOutcome,
  type StorePackage,
  type StoreStep,
  type SubmitOptions,
} from '../stores/index.js';
import { EventsService } from '../registry/index.js';
import { isUnchanged, TargetStatusRepository, type KnownTarget } from '../targets/index.js';
import { itemOf, told, type Look } from './planning/look.js';
import type { StepName } from './planning/plan.js';
import type { Refusal, ReleaseEntity, Rollout } from './releases/release.entity.js';
import type { ReleaseState } from './planning/release-state.js';
import { ReleasesService } from './releases/releases.service.js';
import { isForPerson } from './planning/verdicts.js';

/** What is told to stores that want to know what is new, where nobody said it (design 8). */
const DEFAULT_NOTES = 'Bug fixes and improvements.';
const ALL_USERS = 100;

/** The steps that call a store. */
export type CallingStep = StoreStep['step'];

const CALLING: readonly StepName[] = [
  'upload',
  'poll',
  'submit',
  'release',
  'rollout',
  'rollback',
  'cancel',
] satisfies readonly CallingStep[];
export const isCalling = (step: StepName): step is CallingStep => CALLING.includes(step);

/** How a failed step stands to the tries before it. */
export interface Repetition {
  /** How many times in a row it failed in these words. */
  readonly times: number;
  /** It failed in the same words before, and means no more than it did then. */
  readonly isRepeated: boolean;
}

/** What came of a step: the store's answer, its refusal, or that the right to act was lost before the call was made. */
export type Carried =
  | { readonly outcome: 'done' | 'pending'; readonly note: string }
  | ({ readonly outcome: 'failed'; readonly failure: StoreFailure } & Repetition)
  | { readonly outcome: 'lost' };

/** The release's state while the call is out, and after the store's answer. Polling and cancelling leave the present one while they run. */
const STATES: Readonly<
  Record<
    CallingStep,
    { readonly during: ReleaseState | null; readonly done: ReleaseState; readonly pending: ReleaseState }
  >
> = {
  upload: { during: 'uploading', done: 'submitting', pending: 'processing' },
  poll: { during: null, done: 'submitting', pending: 'processing' },
  submit: { during: 'submitting', done: 'in_review', pending: 'in_review' },
  release: { during: 'releasing', done: 'releasing', pending: 'releasing' },
  rollout: { during: null, done: 'live', pending: 'live' },
  rollback: { during: 'submitting', done: 'releasing', pending: 'releasing' },
  cancel: { during: null, done: 'superseded', pending: 'superseded' },
};

/**
 * Carries a step out: the intent is committed before the call and the outcome after it, each under the lease. A crash in between leaves
 * the intent, and the next look at the store says what came of it.
 */
@Injectable()
export class Executor {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly statuses: TargetStatusRepository,
    private readonly artifacts: ArtifactsService,
    private readonly releases: ReleasesService,
    private readonly events: EventsService,
    private readonly metrics: Metrics,
  ) {}

  /** @throws PackageLost, or whatever else is no `StoreFailure`: a fault of ours */
  async carryOut(step: CallingStep, look: Look, secrets: object): Promise<Carried> {
    const carried = await this.attempt(step, look, secrets);
    this.metrics.steps.inc({ store: look.target.store, step, outcome: carried.outcome });
    return carried;
  }

  private async attempt(step: CallingStep, look: Look, secrets: object): Promise<Carried> {
    const release = releaseOf(step, look);
    if (release === null || look.pinned === null) throw new Error(`There is no release to ${step}`);
    const key = newId();
    const wasOurs = release.isOurs;
    if (!(await this.begin(step, key, look, release))) return { outcome: 'lost' };
    const answer = presumed(step, wasOurs, release, await this.call(step, key, look, release, secrets));
    return answer instanceof StoreFailure
      ? this.failed(step, look, release, answer, wasOurs)
      : this.answered(step, look, release, answer);
  }

  private begin(step: CallingStep, key: string, look: Look, release: ReleaseEntity): Promise<boolean> {
    const { target, pinned, observed } = look;
    return this.tx.run(async () => {
      const current = await this.statuses.lockForUpdate(target);
      if (current === null || !isUnchanged(current, target)) return false;
      const now = this.clock.now();
      if (step === 'upload' && pinned !== null && !(await this.artifacts.handOver(pinned, target.store, now)))
        return false;
      if (step === 'submit' && target.status.releaseRequested === release.version) {
        target.status.releaseRequested = null;
        await this.statuses.update(target.id, { releaseRequested: null });
      }
      const verdictBefore = verdictOn(release, observed);
      await this.releases.move(release, STATES[step].during, {
        intent: { step, key },
        ...(step === 'submit' || step === 'rollback' ? { isOurs: true, verdictBefore } : {}),
        ...((step === 'upload' || step === 'rollback') && pinned !== null ? { artifactId: pinned.id } : {}),
      });
      return true;
    });
  }

  private async call(
    step: CallingStep,
    key: string,
    look: Look,
    release: ReleaseEntity,
    secrets: object,
  ): Promise<StepOutcome | StoreFailure> {
    const { store, target, platform } = look;
    try {
      const item = itemOf({ target, platform, release });
      // One step may be many calls, and whoever takes the lease over in between makes them all.
      return await underRight(
        () => this.statuses.leases.isHeld(target),
        () => store.carryOut(secrets, item, this.storeStep(step, look, release), key),
      );
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      if (error.details.cause instanceof PackageLost) throw error.details.cause;
      // The store's own "this stands already" is success.
      return error.kind === 'done' ? { outcome: 'done', note: error.message, raw: error.details.raw } : error;
    }
  }

  private storeStep(step: CallingStep, look: Look, { version }: ReleaseEntity): StoreStep {
    const { target, pinned } = look;
    switch (step) {
      case 'upload':
        return { step, version, package: this.packageOf(pinned) };
      case 'submit':
        return { step, version, ...this.submitting(look) };
      case 'rollout':
        return { step, version, percent: percentOf(target) };
      case 'rollback':
        return { step, version, to: pinned?.rollbackOf ?? '', reason: pinned?.rollbackReason ?? '' };
      default:
        return { step, version };
    }
  }

  /** What the target and the push say of a submission, as far as the store can do it. */
  private submitting({ target, pinned, store: { capabilities } }: Look): SubmitOptions {
    return {
      staged: capabilities.stagedRelease && target.releaseMode === 'manual',
      rolloutPercent: capabilities.percentRollout ? target.rolloutPercent : null,
      notes: capabilities.releaseNotes ? (pinned?.notes ?? target.releaseNotes ?? DEFAULT_NOTES) : null,
      reviewerNotes: capabilities.reviewerNotes ? (pinned?.reviewerNotes ?? target.reviewerNotes) : null,
      source: capabilities.sourceUpload ? this.sourceOf(pinned) : null,
      skipReview: capabilities.skipReview && target.skipReview,
      encryption: capabilities.exportCompliance ? target.encryption : null,
    };
  }

  private packageOf(pinned: PinnedArtifact | null): StorePackage {
    if (pinned?.sha256 == null || pinned.size === null) throw new Error('Only a package can be uploaded');
    const { id, storeVersion: version, sha256, size } = pinned;
    return { version, sha256, size, open: () => this.artifacts.open(id) };
  }

  private sourceOf(pinned: PinnedArtifact | null): StorePackage | null {
    if (pinned?.sourceSha256 == null || pinned.sourceSize === null) return null;
    const { id, storeVersion: version, sourceSha256: sha256, sourceSize: size } = pinned;
    return { version, sha256, size, open: () => this.artifacts.openSource(id) };
  }

  private async answered(step: CallingStep, look: Look, release: ReleaseEntity, answer: StepOutcome): Promise<Carried> {
    const { outcome, note, raw } = answer;
    const handles = { ...release.handles, ...answer.handles };
    const rollout = step === 'rollout' ? this.rolloutTo(look) : release.rollout;
    // Hearing "not yet" decides nothing.
    const isDecided = step !== 'poll' || outcome === 'done';
    const refusal = release.refusal?.step === step && isDecided ? null : release.refusal;
    const held = await this.record(look, async () => {
      await this.releases.move(release, STATES[step][outcome], { handles, rollout, refusal, intent: null });
      // Asking again and hearing "not yet" would fill the timeline with nothing.
      if (isDecided) await this.tell(look, release, `step_${outcome}`, note, { step, raw });
    });
    return held ? { outcome, note } : { outcome: 'lost' };
  }

  private async failed(
    step: CallingStep,
    look: Look,
    release: ReleaseEntity,
    failure: StoreFailure,
    wasOurs: boolean,
  ): Promise<Carried> {
    const { kind, message, details } = failure;
    // What the store refused, or gave up, was not done; what it left without a clear answer may have been.
    const isPassing = kind === 'retry' && details.isFinal !== true;
    const isOpen = isPassing && details.throttles === undefined;
    const isPutBack = step === 'upload' ? !isOpen : step === 'poll' && details.isFinal === true;
    const before = release.refusal;
    const isSame = before?.step === step && before.kind === kind && before.message === message;
    const times = isSame ? (before.times ?? 1) + 1 : 1;
    const isRepeated = isSame && isForPerson(failure, times) === isForPerson(failure, times - 1);
    // A fault that passes does not end what stood before it.
    const refusal: Refusal =
      isPassing && before !== null && before.kind !== 'retry' ? before : { step, kind, message, times };
    const held = await this.record(look, async () => {
      await this.releases.move(release, isPutBack ? 'queued' : null, {
        refusal,
        ...(isOpen ? {} : { intent: null, isOurs: wasOurs }),
      });
      const data = { step, kind, status: details.status, raw: details.raw };
      if (!isRepeated) await this.tell(look, release, 'step_failed', message, data);
    });
    return held ? { outcome: 'failed', failure, times, isRepeated } : { outcome: 'lost' };
  }

  private rolloutTo({ target }: Look): Rollout {
    return { percent: percentOf(target), at: this.clock.now().toISOString() };
  }

  /** Writes under the lease, or not at all. */
  private record({ target }: Look, write: () => Promise<void>): Promise<boolean> {
    return this.tx.run(async () => {
      if ((await this.statuses.lockForUpdate(target)) === null) return false;
      await write();
      return true;
    });
  }

  private tell(
    { target, store, platform }: Look,
    { version }: ReleaseEntity,
    kind: string,
    message: string,
    data: object,
  ): Promise<void> {
    return this.events.append({
      extensionId: target.extensionId,
      targetId: target.id,
      version,
      kind,
      message: told(store, platform, message),
      data,
    });
  }
}

const percentOf = ({ rolloutPercent }: KnownTarget): number => rolloutPercent ?? ALL_USERS;

/** The verdict on this very version that the store shows already, before it is submitted again. */
function verdictOn({ version }: ReleaseEntity, { submission }: Observed): ReleaseEntity['verdictBefore'] {
  const held = submission.known ? submission.value : null;
  if (held === null || compareVersions(held.version, version) !== 0) return null;
  return held.state === 'rejected' || held.state === 'cancelled' ? held.state : null;
}

/**
 * A store that shows no submission says only that one is under way. Sent a moment ago, with the answer lost (it counts as ours still), the
 * version is presumably the one.
 */
function presumed(
  step: CallingStep,
  wasOurs: boolean,
  { version }: ReleaseEntity,
  answer: StepOutcome | StoreFailure,
): StepOutcome | StoreFailure {
  const isUnderWay = answer instanceof StoreFailure && answer.details.hasSubmission === true;
  if (step !== 'submit' || !wasOurs || !isUnderWay) return answer;
  const note = `The answer to the submission of version ${version} was lost; the store has one under way, presumably that.`;
  return { outcome: 'done', note, raw: answer.details.raw };
}

/** The release that a step is about; null where there is none yet. */
export const releaseOf = (step: CallingStep, look: Look): ReleaseEntity | null =>
  isOfPending(step, look) ? pendingRelease(look) : look.release;

/** Whether a step is about the version that stands in the way of the pinned one. */
function isOfPending(step: CallingStep, { observed, pinned }: Look): boolean {
  if (step !== 'release') return step === 'cancel';
  const pending = observed.submission.known ? observed.submission.value : null;
  return pending !== null && pinned !== null && compareVersions(pending.version, pinned.storeVersion) !== 0;
}

/** The release of the version that stands in the way at the store. */
function pendingRelease({ observed, releases }: Look): ReleaseEntity | null {
  const pending = observed.submission.known ? observed.submission.value : null;
  if (pending === null) return null;
  return releases.find(({ version, isOurs }) => isOurs && compareVersions(version, pending.version) === 0) ?? null;
}
