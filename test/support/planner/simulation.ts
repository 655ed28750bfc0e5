import type { PinnedArtifact } from '../../../src/artifacts/index.js';
import { isCalling, releaseOf, type Assessment, type TargetContext } from '../../../src/reconcile/planning/context.js';
import { currentRelease } from '../../../src/reconcile/planning/release-facts.js';
import type { Timing } from '../../../src/reconcile/planning/transition/change-status.js';
import type { Attempt, Transition } from '../../../src/reconcile/planning/transition/events.js';
import { transition } from '../../../src/reconcile/planning/transition/transition.js';
import type { ReleaseEntity } from '../../../src/reconcile/releases/release.entity.js';
import {
  known,
  StoreFailure,
  UNKNOWN,
  type FailureKind,
  type Observed,
  type Store,
} from '../../../src/stores/index.js';
import { compareVersions } from '../../../src/stores/version.js';
import {
  rescheduled,
  withoutOverwriting,
  type LockedTarget,
  type Phase,
  type TargetStatus,
} from '../../../src/targets/index.js';
import { TargetStatusEntity } from '../../../src/targets/status/target-status.entity.js';
import { TargetEntity } from '../../../src/targets/target.entity.js';
import {
  isPending,
  MINUTE,
  Refused,
  START,
  type CallingStep,
  type ModelStore,
  type Sent,
  type View,
} from './model-store.js';

/** How long a draft that anyone may replace is trusted, by design. */
const DRAFT_TRUSTED = 30 * MINUTE;
export const VERSIONS = ['1.1', '1.2', '1.3', '1.4'] as const;
const MAX_STEPS = 8;
const ALL_USERS = 100;

/**
 * What befalls a call: `before` and `after` are failures on either side of the store's doing, the crashes leave the intent, a `lie` is a
 * success of which nothing is true. The others are a customer's doing, before the intent or after it.
 */
export const FAULTS = [
  'none',
  'before',
  'after',
  'crash_before',
  'crash_after',
  'lie',
  'pin_before',
  'pin_after',
  'pause_before',
  'pause_after',
  'hold_before',
  'hold_after',
] as const;
export type Fault = (typeof FAULTS)[number];
export const BLINDNESSES = ['none', 'live', 'submission', 'all', 'down'] as const;
export type Blindness = (typeof BLINDNESSES)[number];

class Crash extends Error {}

/** What a customer may say of a target. */
export interface Settings {
  readonly onPending: 'wait' | 'replace';
  readonly releaseMode: 'auto' | 'manual';
  readonly rolloutPercent: number | null;
  readonly paused: boolean;
}
/** What rollbacks bring back. */
const OLDER = '1.0';

const NEVER_STALLS = { random: 0.5, reviewMs: 10 * MINUTE, stalledAfterMs: 24 * 60 * MINUTE };

/**
 * Drives one target at a modelled store as the services do at a real one: every state is what `transition` makes of the one before. What the
 * tenant does, and what is kept in the database, is modelled; each call is held against what must never be.
 */
export class Simulation {
  pinned: string | null = null;
  writes = 0;
  releases: readonly ReleaseEntity[] = [];
  /** What was done to the store that must never be done, whatever went before. */
  readonly trespasses: string[] = [];
  /** What was done to the store that must not be done after what Pierhead has heard of it. */
  readonly wrongs: string[] = [];
  private target: LockedTarget;
  private newer = 0;
  private ids = 0;
  private lastDone: string | null = null;
  private readonly liveHeard = new Set<string>();
  /** Each with the channel that rejected it: in another one a version sets out anew. */
  private readonly rejected = new Map<Sent, ModelStore>();
  private readonly forgiven = new Set<Sent>();
  private readonly everPinned = new Set<string>();
  /** Versions that Pierhead tried to send in vain: it may believe that a person's submission of one is its own. */
  private readonly triedInVain = new Set<string>();
  /** Versions that stand for an older one. */
  private readonly rollbacks = new Set<string>();
  /** How often other content was pushed for a version. */
  private readonly contents = new Map<string, number>();
  /** Contents in which something is found that the store refuses, and that nobody has overridden. */
  private readonly refusable = new Set<string>();
  /** Contents that another person has still to approve. */
  private readonly unapproved = new Set<string>();
  /** What the store was given, or might have been. */
  private readonly handedOver = new Set<string>();
  /** Versions whose release was asked for by hand. */
  private readonly askedFor = new Set<string>();
  /** When the store last said that it has taken an upload which it had not. */
  private liedAt = START - 1;

  /** @param channels the one that the target begins with, and another if the store has one */
  constructor(
    private readonly channels: ModelStore[],
    settings: Settings,
    private readonly faults: Fault[],
    private readonly blindnesses: Blindness[],
  ) {
    this.target = {
      ...new TargetEntity(),
      id: 'target',
      extensionId: 'extension',
      tenantId: 'tenant',
      store: 'chrome',
      storeItemId: 'item',
      credentialId: 'credential',
      enabled: true,
      platforms: [],
      channel: this.store.name,
      createdAt: this.time,
      updatedAt: this.time,
      leaseToken: 'lock',
      status: { ...new TargetStatusEntity(), phase: 'idle', nextCheckAt: this.time },
    };
    for (const [name, value] of Object.entries(settings)) this.set({ [name]: value });
  }

  /** The channel that the target is at. */
  get store(): ModelStore {
    const [store] = this.channels;
    if (store === undefined) throw new Error('The item has no channel');
    return store;
  }

  get phase(): Phase {
    return this.target.status.phase;
  }

  get nextCheckAt(): number {
    return this.target.status.nextCheckAt?.getTime() ?? this.store.now;
  }

  /** A push; a version below what the target shows is refused to the customer. */
  pin(version: string): void {
    const { liveVersion, submittedVersion } = this.target.status;
    for (const theirs of [liveVersion, submittedVersion])
      if (theirs !== null && compareVersions(version, theirs) < 0) return;
    this.pinned = version;
    this.everPinned.add(version);
    this.change({}, { desiredVersion: version });
  }

  /** Other content for the pinned version. A push is refused once the store was given the first, and the planner does not rely on it. */
  pushOther(): void {
    const { pinned } = this;
    if (pinned === null || this.rollbacks.has(pinned)) return;
    this.contents.set(pinned, (this.contents.get(pinned) ?? 0) + 1);
    this.change({});
  }

  /** Other content for the pinned version, in which something is found that the store refuses. */
  pushRefusable(): void {
    const { requiresArtifact } = this.store.shape.kind;
    if (this.pinned === null || this.rollbacks.has(this.pinned) || !requiresArtifact) return;
    this.pushOther();
    this.refusable.add(this.artifactOf(this.pinned));
  }

  /** A person sends the pinned content despite what was found in it. */
  override(): void {
    if (this.pinned !== null && this.refusable.delete(this.artifactOf(this.pinned))) this.change({});
  }

  /** Other content for the pinned version, which another person has to approve. */
  pushUnapproved(): void {
    if (this.pinned === null || this.rollbacks.has(this.pinned)) return;
    this.pushOther();
    this.unapproved.add(this.artifactOf(this.pinned));
  }

  /** Another person approves the pinned content. */
  approvePinned(): void {
    if (this.pinned !== null && this.unapproved.delete(this.artifactOf(this.pinned))) this.change({});
  }

  private artifactOf(version: string): string {
    return this.rollbacks.has(version) ? `${version} back` : `${version} ${this.contents.get(version) ?? 0}`;
  }

  pinNext(): void {
    const next = VERSIONS[VERSIONS.findIndex((version) => version === this.pinned) + 1];
    if (next !== undefined) this.pin(next);
  }

  /** Pushes a version above all others. */
  pinNewer(): void {
    this.newer += 1;
    this.pin(`2.${this.newer}`);
  }

  /** Has an older version served again under this number; one that is not higher than what the target shows is refused. */
  rollBack(version: string): void {
    const { liveVersion, submittedVersion } = this.target.status;
    for (const theirs of [liveVersion, submittedVersion])
      if (theirs !== null && compareVersions(version, theirs) <= 0) return;
    if (!this.store.shape.kind.rollback || this.rollbacks.has(version)) return;
    this.rollbacks.add(version);
    this.pin(version);
  }

  /** Disabled and enabled: what ended badly before is tried again. */
  enable(): void {
    this.store.now += 1;
    for (const sent of this.rejected.keys()) this.forgiven.add(sent);
    this.change({ enabledAt: this.time });
  }

  /** Changes settings; what the store has no use for is refused. */
  set(change: Partial<Settings>): void {
    const { kind, staging } = this.store.shape;
    const { onPending, releaseMode, rolloutPercent } = change;
    if (onPending === 'replace' && !kind.canCancel && !kind.supersedesPending) return;
    if (releaseMode === 'manual' && staging === 'never') return;
    if (rolloutPercent != null && !kind.percentRollout) return;
    this.change(change);
  }

  /** `TargetsService.requestRelease`. */
  askForRelease(): void {
    const { pinned, phase } = this;
    if ((this.target.releaseMode !== 'manual' && phase !== 'approved') || pinned === null) return;
    if (!['approved', 'in_review'].includes(phase)) return;
    this.askedFor.add(pinned);
    this.change({}, { releaseRequested: pinned });
  }

  /** Points the target at the store's other channel. */
  changeChannel(): void {
    if (this.channels.length === 1) return;
    this.channels.reverse();
    this.askedFor.clear();
    this.store.remember();
    const nothing = { liveVersion: null, submittedVersion: null, releaseRequested: null };
    this.change({ channel: this.store.name }, nothing);
  }

  /** The pinned version is Pierhead's, and rests until its release is asked for. */
  get isHeld(): boolean {
    const { releaseMode, status } = this.target;
    return (
      releaseMode === 'manual' &&
      status.releaseRequested !== this.pinned &&
      this.current()?.submittedByPierhead === true
    );
  }

  /** The share of users that the live version is to be offered to at least; null for a version that is not Pierhead's. */
  get wantedShare(): number | null {
    const wanted = this.target.rolloutPercent ?? ALL_USERS;
    if (this.store.shape.kind.widensByItself && wanted !== ALL_USERS) return null;
    return this.store.live === this.pinned && this.current()?.submittedByPierhead === true ? wanted : null;
  }

  private change(settings: Partial<LockedTarget>, status: Partial<TargetStatus> = {}): void {
    const changed = { ...this.target, ...settings, status: { ...this.target.status, ...status } };
    this.target = { ...changed, status: rescheduled(changed, this.time) };
  }

  /** From now on nothing befalls it any more. */
  cancelCut(): void {
    this.faults.length = 0;
    this.blindnesses.length = 0;
  }

  hasSent(version: string): boolean {
    return this.releases.some((release) => release.submittedByPierhead && release.version === version);
  }

  /** Looks, decides, acts, until there is nothing more to do now. */
  run(): void {
    this.lastDone = null;
    try {
      for (let round = 1; round <= MAX_STEPS; round += 1) if (!this.round()) break;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.store.now += MINUTE;
    }
  }

  /** One check and one step, as `TargetDriverService.round` and `ExecutorService.execute` make them. */
  private round(): boolean {
    const { revision } = this.target.status;
    const { context, observed } = this.check();
    if (observed === null) return this.fail(context, 'retry');
    const assessed = transition(
      context,
      { type: 'observed', observed, releaseId: this.nextId(), unpushed: null },
      this.timing,
    );
    this.checkPlan(assessed.state);
    this.persist(context, assessed);
    this.forgetSuperseded(assessed.state);
    const { step } = assessed.state.plan;
    if (!isCalling(step)) return false;
    const fault = this.faults.shift() ?? 'none';
    this.interrupt(fault, 'before');
    if (this.target.status.revision !== revision) return true;
    const intended = transition(assessed.state, { type: 'intended', key: this.nextId() }, this.timing);
    const before = releaseOf(step, assessed.state);
    if (before === null) throw new Error(`There is no release to ${step}`);
    this.checkRight(step, assessed.state, before);
    this.persist(assessed.state, intended);
    const isDone = this.carryOut(intended.state, fault);
    const what = `${step} ${before.version}`;
    if (isDone && this.lastDone === what) this.wrongs.push(`${what}: done twice in a row`);
    this.lastDone = isDone && fault !== 'lie' ? what : null;
    return isDone;
  }

  /** What the customer does while a step is under way. */
  private interrupt(fault: Fault, when: 'before' | 'after'): void {
    if (fault === `pin_${when}`) this.pinNext();
    if (fault === `pause_${when}`) this.set({ paused: true });
    if (fault === `hold_${when}`) this.set({ releaseMode: 'manual' });
  }

  /** @returns what is known of the target and what its store shows; null for a store that does not answer */
  private check(): { readonly context: TargetContext; readonly observed: Observed | null } {
    const blindness = this.blindnesses.shift() ?? 'none';
    const context = this.context();
    if (blindness === 'down') return { context, observed: null };
    const { view } = this.store;
    const isBlindTo = (part: Blindness): boolean => blindness === 'all' || blindness === part;
    const seesSent = this.store.shape.kind.tells && !isBlindTo('submission');
    const observed: Observed = {
      live: isBlindTo('live') ? UNKNOWN : known(view.live),
      submission: seesSent
        ? known(view.sent === null ? null : { version: view.sent.version, state: view.sent.state })
        : UNKNOWN,
      upload: known(this.store.uploadOf(this.pinned ?? '')),
      takenDown: view.takenDown,
      warned: false,
      rolloutPercent: isBlindTo('live') ? null : view.offered,
      raw: null,
    };
    // Of the pinned version of an item that was taken down nothing is noted.
    const isNoted = (version: string | undefined): boolean => !view.takenDown || version !== this.pinned;
    if (!isBlindTo('live') && view.live !== null && isNoted(view.live)) this.hearLive(view.live);
    if (seesSent && view.sent !== null && isNoted(view.sent.version)) this.hearSent(view.sent);
    return { context, observed };
  }

  private context(): TargetContext {
    const { target, pinned } = this;
    const releases = this.releases.filter(({ channel }) => channel === target.channel);
    const release = this.current();
    return {
      target,
      platform: null,
      store: { title: 'The store', capabilities: this.store.shape.kind } as unknown as Store,
      pinned:
        pinned === null
          ? null
          : ({
              id: this.artifactOf(pinned),
              version: pinned,
              storeVersion: pinned,
              rollbackOf: this.rollbacks.has(pinned) ? OLDER : null,
            } as PinnedArtifact),
      releases,
      release,
      isOtherContent:
        release !== null &&
        release.artifactId !== this.artifactOf(release.version) &&
        this.handedOver.has(release.artifactId),
      refusals: pinned !== null && this.refusable.has(this.artifactOf(pinned)) ? ['It is faulty.'] : [],
      clearance:
        pinned !== null && this.unapproved.has(this.artifactOf(pinned))
          ? { held: 'waiting', why: 'Nobody has approved it.', isAsked: true }
          : { held: null, why: '', isAsked: true },
      throttles: { uploads: null, writes: null },
    };
  }

  private get time(): Date {
    return new Date(this.store.now);
  }

  private get timing(): Timing {
    return { ...NEVER_STALLS, now: this.time };
  }

  private nextId(): string {
    this.ids += 1;
    return String(this.ids);
  }

  private current(): ReleaseEntity | null {
    const releases = this.releases.filter(({ channel }) => channel === this.target.channel);
    return this.pinned === null
      ? null
      : currentRelease(releases, this.target, {
          id: this.artifactOf(this.pinned),
          storeVersion: this.pinned,
          replacedAt: null,
          platform: '',
        });
  }

  /** Adds an existing release. */
  begin(version: string, facts: Partial<ReleaseEntity>): void {
    const release: ReleaseEntity = {
      id: this.nextId(),
      extensionId: 'extension',
      targetId: 'target',
      storeItemId: 'item',
      channel: this.target.channel,
      platform: null,
      artifactId: this.artifactOf(version),
      version,
      state: 'queued',
      stateAt: this.time,
      submittedByPierhead: false,
      earlierVerdict: null,
      rollout: null,
      refusal: null,
      remindedAt: null,
      intent: null,
      handles: {},
      createdAt: this.time,
      updatedAt: this.time,
    };
    this.releases = [{ ...release, ...facts }, ...this.releases];
  }

  /** `TransitionsService.persist`, while nobody else has the work lock. */
  private persist(before: TargetContext, { state, status }: Transition): void {
    const changed = new Map(state.releases.map((release) => [release.id, release]));
    const known = this.releases.map((release) => changed.get(release.id) ?? release);
    const isNew = ({ id }: ReleaseEntity): boolean => this.releases.every((release) => release.id !== id);
    this.releases = [...state.releases.filter(isNew), ...known];
    const { target } = this;
    const written = status === null ? {} : withoutOverwriting(target, before.target, status);
    this.target = { ...target, status: { ...target.status, ...written } };
  }

  /** A release that a late store does not show yet is given up, and forgotten. */
  private forgetSuperseded({ releases, release }: Assessment): void {
    const { sent } = this.store;
    for (const other of releases)
      if (other.id !== release?.id && other.state === 'superseded' && sent?.version === other.version)
        sent.isHeard = false;
  }

  /** The call, with what befalls it. @returns whether the store has taken the step */
  private carryOut(attempt: Attempt, fault: Fault): boolean {
    const { step, subject } = attempt;
    const { version } = subject;
    const sends = step === 'submit' || step === 'rollback';
    if (step === 'upload') this.handedOver.add(subject.artifactId);
    this.interrupt(fault, 'after');
    if (sends && (fault === 'before' || fault === 'crash_before' || fault === 'lie')) this.triedInVain.add(version);
    if (fault === 'crash_before') throw new Crash();
    if (fault === 'before') return this.fail(attempt, 'retry');
    this.checkCall(step, attempt, subject);
    if (step !== 'poll') this.writes += 1;
    try {
      const outcome = this.call(step, attempt, subject, fault);
      if (fault === 'crash_after') throw new Crash();
      if (fault === 'after') return this.fail(attempt, 'retry');
      const answer = { outcome, note: `${step}: ${outcome}.`, raw: null };
      this.persist(attempt, transition(attempt, { type: 'answered', answer }, this.timing));
      return outcome === 'done';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.fail(attempt, error.failure);
    }
  }

  private call(step: CallingStep, { target }: TargetContext, release: ReleaseEntity, fault: Fault): 'done' | 'pending' {
    const { store } = this;
    const { version, earlierVerdict } = release;
    if (fault === 'lie') {
      if (step === 'upload' || step === 'poll') this.liedAt = store.confirmedAt = store.now;
      return 'done';
    }
    const percent = store.shape.kind.percentRollout ? target.rolloutPercent : null;
    const outcome = store.call({ step, version, isStaged: target.releaseMode === 'manual', percent, earlierVerdict });
    store.remember();
    const isAnswered = fault !== 'crash_after' && fault !== 'after';
    if (isAnswered && step === 'submit' && store.sent?.version === version) store.sent.isHeard = true;
    return outcome;
  }

  private fail(state: TargetContext | Attempt, kind: FailureKind): false {
    const failure = new StoreFailure(kind, 'No.');
    this.persist(state, transition(state, { type: 'failed', failure, credential: 'key' }, this.timing));
    return false;
  }

  // ----------------------------------------------------- what must never be

  // What a person published or sent is remembered only once it is pinned.

  private hearLive(live: string): void {
    if (live === this.pinned || this.hasSent(live)) this.liveHeard.add(live);
  }

  private hearSent(sent: NonNullable<View['sent']>): void {
    const { of, state } = sent;
    if (isPending(sent)) of.isSeen = true;
    const isRemembered = of.by === 'pierhead' || of.version === this.pinned;
    if (isRemembered && (isPending(sent) || state !== of.earlierVerdict)) of.isHeard = true;
    if (state !== 'rejected' || !of.isHeard || of.by !== 'pierhead') return;
    this.rejected.set(of, this.store);
    // Given up for a newer one and pinned again, it is a new wish of the customer.
    const isGivenUp = this.releases.some(
      (one) => one.submittedByPierhead && one.version === of.version && one.state === 'superseded',
    );
    if (isGivenUp) this.forgiven.add(of);
  }

  private checkPlan({ plan, observed, pinned }: Assessment): void {
    const wrong = (what: string): number => this.wrongs.push(`${plan.step}: ${what}`);
    const version = pinned?.storeVersion ?? '';
    const live = observed.live.known ? observed.live.value : this.target.status.liveVersion;
    const release = this.current();
    const isOther = release !== null && release.artifactId !== pinned?.id && this.handedOver.has(release.artifactId);
    if (isOther && live === version && plan.phase === 'live') wrong('other content than is pinned is called live');
    if (isCalling(plan.step) && observed.takenDown) wrong('the item is taken down');
    if (isCalling(plan.step) && live !== null && compareVersions(live, version) > 0) wrong('a higher version is live');
    const { sent, view } = this.store;
    const isEnd = plan.release === 'rejected' || plan.release === 'cancelled';
    // A verdict on somebody else's submission that was never seen before passes for one on ours.
    const isOfAnother = view.sent !== null && view.sent.of !== sent && view.sent.state !== sent?.earlierVerdict;
    if (isEnd && !isOfAnother && sent !== null && isPending(sent) && sent.isHeard && sent.version === version)
      wrong(`${version} is called ${plan.release} while it is in review`);
  }

  /** What the customer has not allowed, at the moment when the intent is written. */
  private checkRight(
    step: CallingStep,
    { pinned, target }: TargetContext,
    { version, artifactId }: ReleaseEntity,
  ): void {
    const wrong = (what: string): number => this.trespasses.push(`${step} ${version}: ${what}`);
    const { paused, releaseMode, onPending } = this.target;
    if (paused && step !== 'poll') wrong('the target is paused');
    const isRefusable = pinned !== null && this.refusable.has(pinned.id) && !this.handedOver.has(pinned.id);
    if (isRefusable && !['poll', 'release', 'rollout'].includes(step))
      wrong('the store would refuse the pinned content');
    const isUnapproved = pinned !== null && this.unapproved.has(pinned.id);
    if (isUnapproved && !['poll', 'release', 'rollout'].includes(step)) wrong('nobody has approved the pinned content');
    if (step === 'cancel' && onPending === 'wait') wrong('it is to be waited for');
    if (step === 'release' && compareVersions(version, pinned?.storeVersion ?? '') > 0) wrong('a lower one is pinned');
    if (step === 'release' && releaseMode === 'manual' && !this.askedFor.has(version)) wrong('nobody asked for it');
    if (!this.everPinned.has(version)) wrong('it was never pinned');
    const isRollback = version === pinned?.storeVersion && this.rollbacks.has(version);
    if ((step === 'upload' || step === 'submit') && isRollback) wrong('it has no package');
    if (step === 'rollback' && !isRollback) wrong('it brings nothing back');
    const isOther = version === pinned?.storeVersion && artifactId !== pinned.id;
    if ((step === 'submit' || step === 'release') && isOther && this.handedOver.has(artifactId))
      wrong('it is other content than is pinned');
    if (step === 'rollout') this.checkShare(target, version, wrong);
  }

  private checkShare({ rolloutPercent }: LockedTarget, version: string, wrong: (what: string) => number): void {
    const { offered, liveBy } = this.store;
    if ((rolloutPercent ?? ALL_USERS) < (offered ?? ALL_USERS)) wrong('the share goes down');
    if (liveBy === 'person' && !this.triedInVain.has(version)) wrong('a person published it');
  }

  private checkCall(step: CallingStep, look: TargetContext, { version }: ReleaseEntity): void {
    if (step === 'rollout') return;
    const { sent, live, shape } = this.store;
    const wrong = (what: string): number => this.wrongs.push(`${step} ${version}: ${what}`);
    if (step === 'release' || step === 'cancel') {
      const isSentByUs =
        sent?.version === version &&
        (sent.by === 'pierhead' || this.triedInVain.has(version) || this.askedFor.has(version));
      const isShown = shape.lag === 0 || sent?.isSeen === true;
      if (isPending(sent) && isShown && !isSentByUs) wrong('Pierhead did not send it');
      if (step === 'cancel' && version === look.pinned?.storeVersion) wrong('it is pinned');
      return;
    }
    if (isPending(sent) && sent?.version === version && sent.isHeard) wrong('it is at the store already');
    if (live === version && this.liveHeard.has(version)) wrong('it is live already');
    for (const [one, store] of this.rejected)
      if (store === this.store && one.version === version && !this.forgiven.has(one)) wrong('it was rejected');
    if (step === 'submit' && shape.kind.sharedDraft) this.checkDraft(version, wrong);
  }

  private checkDraft(version: string, wrong: (what: string) => number): void {
    const { draft, now, confirmedAt } = this.store;
    if (draft === null || draft.at <= this.liedAt) return;
    if (draft.by === 'pierhead' && draft.version !== version) wrong(`the draft holds ${draft.version}`);
    if (draft.by === 'person' && draft.at > confirmedAt && now - draft.at > DRAFT_TRUSTED)
      wrong('a person replaced the draft long ago');
    if (draft.by === 'person' && draft.sent?.isSeen === true) wrong('a person was seen to replace the draft');
  }
}
