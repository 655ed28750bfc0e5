import { Injectable } from '@nestjs/common';
import { ApprovalsService, ArtifactsService, PackageLost, type PinnedArtifact } from '../artifacts/index.js';
import { withLockCheck } from '../common/net/index.js';
import { newId } from '../common/fields/index.js';
import { Metrics } from '../common/observability/index.js';
import {
  StoreFailure,
  type CloudBuild,
  type StepOutcome,
  type StorePackage,
  type StoreStep,
  type SubmitOptions,
} from '../stores/index.js';
import { isUnchanged, SigningKeysService, TargetsRepository, TargetStatusRepository } from '../targets/index.js';
import { isOfPackage, leavesNumberFree } from './planning/failure-effect.js';
import { whileUnapproved } from './planning/plan.js';
import { itemOf, percentOf, type Assessment } from './planning/context.js';
import { type Attempt, transition } from './planning/transition/index.js';
import type { CarriedStep } from './reconcile.dto.js';
import { PackageRefusalsService } from './refusals/index.js';
import { ReleasesRepository } from './releases/releases.repository.js';
import { TransitionsService } from './transitions.service.js';

/**
 * Carries a step out: the intent is committed before the call and the outcome after it, each under the work lock. A crash in between leaves
 * the intent, and the next check of the store shows whether the call arrived.
 */
@Injectable()
export class ExecutorService {
  constructor(
    private readonly transitions: TransitionsService,
    private readonly targets: TargetsRepository,
    private readonly statuses: TargetStatusRepository,
    private readonly signingKeys: SigningKeysService,
    private readonly artifacts: ArtifactsService,
    private readonly approvals: ApprovalsService,
    private readonly releases: ReleasesRepository,
    private readonly metrics: Metrics,
    private readonly refusals: PackageRefusalsService,
  ) {}

  /**
   * @param credential the credential's name, for people
   * @returns what was done; null when the work lock was lost, or the target changed, before the outcome could be recorded
   * @throws PackageLost, or anything else that is no `StoreFailure`: a fault in Pierhead
   */
  async execute(
    assessment: Assessment,
    secrets: object,
    credential: () => Promise<string>,
  ): Promise<CarriedStep | null> {
    const report = await this.attempt(assessment, secrets, credential);
    const { target, plan } = assessment;
    this.metrics.steps.inc({ store: target.store, step: plan.step, outcome: report?.outcome ?? 'lost' });
    return report;
  }

  private async attempt(
    assessment: Assessment,
    secrets: object,
    credential: () => Promise<string>,
  ): Promise<CarriedStep | null> {
    const { target, pinned, plan } = assessment;
    const { timing } = this.transitions;
    const key = newId();
    const intended = transition(assessment, { type: 'intended', key }, timing);
    // Under the target's lock, which each pin takes: what is pinned afterwards waits for a decision of its own.
    const mayBegin = async (): Promise<boolean> =>
      (await this.isCleared(assessment)) &&
      (plan.step !== 'upload' || pinned === null || this.artifacts.markUploading(pinned, target.store));
    if (!(await this.transitions.persist(assessment, intended, isUnchanged, mayBegin))) return null;
    const attempt = intended.state;
    const answer = await this.call(attempt, key, secrets).then((given) => this.orSigned(attempt, given));
    const outcome =
      answer instanceof StoreFailure
        ? transition(
            attempt,
            { type: 'failed', failure: answer, credential: await credential() },
            this.transitions.timing,
          )
        : transition(attempt, { type: 'answered', answer }, this.transitions.timing);
    const noteRefusal = async (): Promise<boolean> => {
      if (!(answer instanceof StoreFailure) || pinned === null) return true;
      if (leavesNumberFree(answer, attempt.step, attempt.wasSubmittedByPierhead))
        await this.artifacts.unmarkUploading(pinned, target.store);
      if (answer.details.needsSignature === true) await this.targets.requireSigned(target);
      if (isOfPackage(answer, attempt.step)) await this.refusals.note(target.store, answer);
      return true;
    };
    return (await this.transitions.persist(attempt, outcome, undefined, noteRefusal)) ? outcome.report : null;
  }

  /** Whether the step may still be made, by what people have decided about the version until now. */
  private async isCleared({ plan, pinned, target, release }: Assessment): Promise<boolean> {
    if (pinned === null || plan.step === 'poll' || plan.approval !== undefined) return true;
    const clearance = await this.approvals.clearance(pinned, target);
    return whileUnapproved(plan, clearance, release?.submittedByPierhead === true) === plan;
  }

  private async call(attempt: Attempt, key: string, secrets: object): Promise<StepOutcome | StoreFailure> {
    const { store, target, platform, subject } = attempt;
    try {
      const item = itemOf({ target, platform, release: subject });
      // One step may be many calls, and a worker that takes the work lock over in between makes them all.
      return await withLockCheck(
        () => this.statuses.locks.isValid(target),
        async () => store.carryOut(secrets, item, await this.stepOf(attempt), key),
      );
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      if (error.details.cause instanceof PackageLost) throw error.details.cause;
      return error;
    }
  }

  /** A zip that the store takes only signed, and that Pierhead can sign, is tried again by itself. */
  private async orSigned<Answer>({ target }: Attempt, answer: Answer): Promise<Answer | StoreFailure> {
    if (!(answer instanceof StoreFailure) || answer.details.needsSignature !== true) return answer;
    if (target.signedUploads || !(await this.signingKeys.has(target))) return answer;
    return new StoreFailure('retry', `${answer.message} The next attempt is signed.`, answer.details);
  }

  private async stepOf(attempt: Attempt): Promise<StoreStep> {
    const { target, pinned, step, subject } = attempt;
    const { version } = subject;
    switch (step) {
      case 'upload':
        return { step, version, package: await this.signingKeys.signed(target, this.packageOf(pinned)) };
      case 'submit':
        return { step, version, ...this.submitOptionsOf(attempt), cloudBuild: await this.cloudBuildOf(attempt) };
      case 'rollout':
        return { step, version, percent: percentOf(target) };
      case 'rollback':
        return { step, version, to: pinned?.rollbackOf ?? '', reason: pinned?.rollbackReason ?? '' };
      default:
        return { step, version };
    }
  }

  /** The settings of a submission, from the push and the target, as far as the store supports them. */
  private submitOptionsOf({ target, pinned, store: { capabilities } }: Attempt): Omit<SubmitOptions, 'cloudBuild'> {
    return {
      staged: capabilities.stagedRelease && target.releaseMode === 'manual',
      rolloutPercent: capabilities.percentRollout ? target.rolloutPercent : null,
      notes: capabilities.releaseNotes ? (pinned?.notes ?? target.releaseNotes) : null,
      localizedNotes: capabilities.releaseNotes ? (pinned?.localizedNotes ?? {}) : {},
      reviewerNotes: capabilities.reviewerNotes ? (pinned?.reviewerNotes ?? target.reviewerNotes) : null,
      source: capabilities.sourceUpload ? this.sourceOf(pinned) : null,
      skipReview: capabilities.skipReview && target.skipReview,
      encryption: capabilities.exportCompliance ? target.encryption : null,
    };
  }

  /** How the store builds the version itself, if the target says so. */
  private async cloudBuildOf(attempt: Attempt): Promise<CloudBuild | null> {
    const { target, store, pinned, subject, wasIntended, wasSubmittedByPierhead } = attempt;
    const { xcodeCloudWorkflow: workflow, xcodeCloudTag, enabledAt } = target;
    if (!store.capabilities.cloudBuilds || workflow === null || pinned === null) return null;
    const others = (await this.releases.findNewest(target.id, subject.version)).filter(
      ({ platform, storeItemId }) => platform !== subject.platform && storeItemId === subject.storeItemId,
    );
    return {
      workflow,
      tag: xcodeCloudTag.replace('{version}', () => pinned.version),
      askedAt: enabledAt,
      isUnclear: wasIntended || others.some(({ intent }) => intent?.step === 'submit'),
      wasUnclear: wasSubmittedByPierhead,
      others: others.map(({ handles }) => handles),
    };
  }

  private packageOf(pinned: PinnedArtifact | null): StorePackage {
    if (pinned?.sha256 == null || pinned.format === null || pinned.size === null)
      throw new Error('Only a package can be uploaded');
    const { id, storeVersion: version, format, sha256, size, buildNumber } = pinned;
    const open: StorePackage['open'] = (range) => this.artifacts.open(id, range);
    return { version, format, sha256, size, ...(buildNumber === '' ? {} : { buildNumber }), open };
  }

  private sourceOf(pinned: PinnedArtifact | null): StorePackage | null {
    if (pinned?.sourceSha256 == null || pinned.sourceSize === null) return null;
    const { id, storeVersion: version, sourceSha256: sha256, sourceSize: size } = pinned;
    return { version, sha256, size, open: () => this.artifacts.openSource(id) };
  }
}
