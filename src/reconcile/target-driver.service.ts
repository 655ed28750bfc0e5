import { Injectable, Logger } from '@nestjs/common';
import { ArtifactsService, CLEARED, PackageLost, type PinnedArtifact } from '../artifacts/index.js';
import { newId } from '../common/fields/index.js';
import { CredentialsService } from '../credentials/index.js';
import { StoreFailure, Stores, type Observed } from '../stores/index.js';
import {
  isSamePlace,
  ItemEnabledTwice,
  RENEW_EVERY_MS,
  TargetsRepository,
  TargetStatusRepository,
  type TargetWithStatus,
  type LockedTarget,
} from '../targets/index.js';
import { ExecutorService } from './executor.service.js';
import { HoldsService } from './holds.service.js';
import {
  credentialOf,
  decide,
  isCalling,
  itemOf,
  newlyServed,
  ofPlatform,
  platformsOf,
  type Assessment,
  type TargetContext,
} from './planning/context.js';
import { effectOf, failureContext, type FailureEffect } from './planning/failure-effect.js';
import { currentRelease } from './planning/release-facts.js';
import { transition } from './planning/transition/index.js';
import type { CarriedStep, ReconciledTarget } from './reconcile.dto.js';
import { ReleasesRepository } from './releases/releases.repository.js';
import { StoreBudgetService } from './store-budget.service.js';
import { TransitionsService } from './transitions.service.js';

/** More steps than any store needs for one version; a store whose answers go in circles ends here. */
const MAX_STEPS = 8;
/** One check and one step. */
const CALLS_PER_ROUND = 2;

const itemEnabledTwice = (): StoreFailure =>
  new StoreFailure(
    'config',
    'Another enabled target, of this extension or of another of yours, publishes to the same item. Disable one of the two.',
  );

/** The store's state, and the secrets that it was asked with. */
interface Answer {
  readonly observed: Observed;
  readonly secrets: object;
  /** The store refused the credential until now, or had not shown whose it is. */
  readonly isNews: boolean;
}

/** Outcome of one round with a store: continue with the next, or stop. */
interface Round {
  readonly step: CarriedStep | null;
  readonly shouldContinue: boolean;
}

/** Time until which a store is not to be asked: it named the time, or the credential's calls of this minute are used up. */
interface Postponement {
  readonly until: Date;
  readonly isFromStore: boolean;
}

/**
 * Drives one target as far as its store allows: check, decide, one step, check again. Crash recovery is the same code as normal running.
 */
@Injectable()
export class TargetDriverService {
  private readonly log = new Logger(TargetDriverService.name);
  private isStopping = false;

  constructor(
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly statuses: TargetStatusRepository,
    private readonly artifacts: ArtifactsService,
    private readonly holds: HoldsService,
    private readonly credentials: CredentialsService,
    private readonly releases: ReleasesRepository,
    private readonly executor: ExecutorService,
    private readonly transitions: TransitionsService,
    private readonly budget: StoreBudgetService,
  ) {}

  /** Lets the steps under way finish, and starts no others. */
  stop(): void {
    this.isStopping = true;
  }

  /** Works on a target under its work lock, and returns the lock. Never throws: the result and the target's status show what happened. */
  async run(target: LockedTarget): Promise<ReconciledTarget> {
    const steps: CarriedStep[] = [];
    await this.statuses.locks.whileRenewed(target, RENEW_EVERY_MS, () => this.drive(target, steps));
    const { status } = (await this.statuses.find(target).catch(() => null)) ?? target;
    await this.statuses.locks
      .giveBack(target)
      .catch((error: unknown) => this.log.warn({ msg: 'work lock not returned', err: error }));
    const { phase, nextCheckAt, message } = status;
    return { targetId: target.id, store: target.store, phase, steps, nextCheckAt, message };
  }

  /**
   * Asks a target's store, and returns what the target would do next, or the time until which the store is not to be asked. Changes nothing at the
   * target and needs no work lock; its calls count like those of a round.
   * @param artifact the artifact to plan with instead of the pinned one
   */
  async preview(
    target: TargetWithStatus,
    platform: string | null,
    artifact: PinnedArtifact | null,
  ): Promise<Pick<Assessment, 'plan'> | { readonly effect: FailureEffect } | { readonly postponed: Postponement }> {
    const postponed = await this.postponement(target);
    if (postponed !== null) return { postponed };
    const context = await this.loadContext(ofPlatform(target, platform), platform, artifact);
    try {
      const { observed } = await this.observe(context);
      const itemKey = newItemKey(context, observed);
      if (itemKey !== null && (await this.targets.isItemTaken(target, itemKey))) throw itemEnabledTwice();
      return { plan: decide(context, observed, this.transitions.timing.now) };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const effect = effectOf(error, failureContext(context, await this.labelOf(target)));
      return { effect };
    }
  }

  /** Never throws. */
  private async drive(target: LockedTarget, steps: CarriedStep[]): Promise<void> {
    try {
      for (const platform of platformsOf(this.stores.for(target.store), target))
        await this.drivePlatform(target, platform, steps);
    } catch (error) {
      this.log.error({ msg: 'reconcile failed', targetId: target.id, err: error });
      await this.recordFault(target, error).catch((second: unknown) =>
        this.log.error({ msg: 'fault not recorded', err: second }),
      );
    }
  }

  /** One round after another, until there is nothing more to do now. */
  private async drivePlatform(target: LockedTarget, platform: string | null, steps: CarriedStep[]): Promise<void> {
    for (let round = 1; round <= MAX_STEPS && !this.isStopping; round += 1) {
      const { step, shouldContinue } = await this.round(target, platform);
      if (step !== null) steps.push(platform === null ? step : { ...step, platform });
      if (!shouldContinue) break;
    }
  }

  private async round(locked: LockedTarget, platform: string | null): Promise<Round> {
    const current = await this.statuses.find(locked);
    if (current === null || current.status.nextCheckAt === null) return { step: null, shouldContinue: false };
    const target = ofPlatform(current, platform);
    const postponement = await this.postponement(target);
    if (postponement !== null) {
      const emptyContext = this.emptyContext(target, platform);
      const postponed = transition(emptyContext, { type: 'postponed', ...postponement }, this.transitions.timing);
      await this.transitions.persist(emptyContext, postponed);
      return { step: postponed.report, shouldContinue: false };
    }
    const context = await this.loadContext(target, platform);
    const answer = await this.observeOnce(context).catch(asFailure);
    if (answer instanceof StoreFailure) {
      if (isKeyRefused(answer)) await this.credentials.noteRefused(credentialOf(target));
      const credential = await this.labelOf(target);
      const failed = transition(context, { type: 'failed', failure: answer, credential }, this.transitions.timing);
      await this.transitions.persist(context, failed);
      return { step: failed.report, shouldContinue: false };
    }
    const { observed, secrets, isNews } = answer;
    if (isNews) await this.credentials.noteAccepted(credentialOf(target));
    const unpushed = await this.unpushedIn(context, observed);
    const event = { type: 'observed', observed, releaseId: newId(), unpushed } as const;
    const assessed = transition(context, event, this.transitions.timing);
    if (!(await this.transitions.persist(context, assessed, isSamePlace, () => this.askForApproval(assessed.state))))
      return { step: null, shouldContinue: false };
    const { step, because } = assessed.state.plan;
    if (!isCalling(step)) return { step: assessed.report, shouldContinue: false };
    const carried = await this.executor.execute(assessed.state, secrets, () => this.labelOf(target));
    // A lost work lock ends the work. If the content was replaced, the lock remains and the next round sees it.
    return {
      step: carried ?? { step, because, outcome: 'none' },
      shouldContinue: carried === null || carried.outcome === 'done',
    };
  }

  /** Where a version waits for an approval that nobody was asked for: it was pinned before approvals were required. */
  private async askForApproval({ plan, pinned, clearance }: Assessment): Promise<boolean> {
    if (plan.approval !== undefined && pinned !== null) await this.holds.ask(pinned, clearance);
    return true;
  }

  /** Finds out whether the store may be asked now, and counts the calls if so. */
  private async postponement(target: TargetWithStatus): Promise<Postponement | null> {
    const { notBefore } = target.status;
    if (notBefore !== null && notBefore > this.transitions.timing.now) return { until: notBefore, isFromStore: true };
    const { callsPerMinute } = this.stores.for(target.store).capabilities;
    const until = await this.budget.take(credentialOf(target), callsPerMinute, CALLS_PER_ROUND);
    return until === null ? null : { until, isFromStore: false };
  }

  private async loadContext<T extends TargetWithStatus>(
    target: T,
    platform: string | null,
    artifact: PinnedArtifact | null = null,
  ): Promise<TargetContext<T>> {
    const pinned = artifact ?? (await this.artifacts.pinnedFor(target, platform));
    const releases = await this.releases.findRecent(target, platform);
    const release = pinned === null ? null : currentRelease(releases, target, pinned);
    const isOtherContent =
      release !== null &&
      pinned !== null &&
      (await this.artifacts.wasOtherContentUploaded(release.artifactId, target.store, pinned));
    const holds = pinned === null ? {} : await this.holds.of(pinned, target);
    const throttles = await this.budget.throttlesOf(credentialOf(target));
    const loaded = { pinned, releases, release, isOtherContent, ...holds, throttles };
    return { ...this.emptyContext(target, platform), ...loaded };
  }

  /** A context without anything that has to be loaded. */
  private emptyContext<T extends TargetWithStatus>(target: T, platform: string | null): TargetContext<T> {
    const store = this.stores.for(target.store);
    const nothing = {
      pinned: null,
      releases: [],
      release: null,
      isOtherContent: false,
      refusals: [],
      clearance: CLEARED,
    };
    return { target, platform, store, ...nothing, throttles: { uploads: null, writes: null } };
  }

  /** The next step uses the same secrets. If they are rotated in between, the target counts as changed and no step is made. */
  private async observe(context: TargetContext<TargetWithStatus>): Promise<Answer> {
    const { secrets, isRefused, isAccountProven } = await this.credentials.open(credentialOf(context.target));
    const observed = await context.store.observe(secrets, itemOf(context));
    return { observed, secrets, isNews: isRefused || !isAccountProven };
  }

  /** Asks about an item that no other target drives. */
  private async observeOnce(context: TargetContext): Promise<Answer> {
    const answer = await this.observe(context);
    const itemKey = newItemKey(context, answer.observed);
    if (itemKey !== null)
      await this.targets.setItemKey(context.target, itemKey).catch((error: unknown) => {
        throw error instanceof ItemEnabledTwice ? itemEnabledTwice() : error;
      });
    return answer;
  }

  /** The version that the store serves since the last check although nobody pushed it; null for none. */
  private async unpushedIn(context: TargetContext, observed: Observed): Promise<string | null> {
    const served = newlyServed(context, observed);
    return served === null || (await this.artifacts.isPushed(context.target, served)) ? null : served;
  }

  private async recordFault(locked: LockedTarget, fault: unknown): Promise<void> {
    const target = await this.statuses.find(locked);
    if (target === null) return;
    const context = this.emptyContext(target, null);
    const remedy = fault instanceof PackageLost ? fault.message : null;
    await this.transitions.persist(context, transition(context, { type: 'faulted', remedy }, this.transitions.timing));
  }

  private async labelOf(target: TargetWithStatus): Promise<string> {
    const { label, id } = await this.credentials.describe(credentialOf(target));
    return label === null ? id : `“${label}”`;
  }
}

/** A 403 may be about the item alone, and secrets that cannot be decrypted were not refused by the store. */
const isKeyRefused = ({ kind, details }: StoreFailure): boolean =>
  kind === 'credential' && details.status !== 403 && details.isSealed !== true;

function asFailure(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  throw error;
}

/** The key of the item by the id that the store shows; null where it is known already. */
function newItemKey({ store, target }: TargetContext<TargetWithStatus>, { itemId }: Observed): string | null {
  const itemKey = itemId === undefined ? target.itemKey : store.itemKeyOf(itemId);
  return itemKey === target.itemKey ? null : itemKey;
}
