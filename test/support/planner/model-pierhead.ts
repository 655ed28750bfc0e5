import type { PinnedArtifact } from '../../../src/artifacts/index.js';
import { compareVersions } from '../../../src/stores/version.js';
import { decide, versionsOf, type Look } from '../../../src/reconcile/planning/look.js';
import { nextCheck } from '../../../src/reconcile/planning/next-check.js';
import type { StepName } from '../../../src/reconcile/planning/plan.js';
import { isSettling } from '../../../src/reconcile/planning/situation.js';
import { canMove, hasFailed, type ReleaseState } from '../../../src/reconcile/planning/release-state.js';
import { judge } from '../../../src/reconcile/planning/verdicts.js';
import type { ReleaseEntity } from '../../../src/reconcile/releases/release.entity.js';
import { known, UNKNOWN, type FailureKind, type Observed, type Store } from '../../../src/stores/index.js';
import type { KnownTarget, Phase } from '../../../src/targets/index.js';
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
const MOST_STEPS = 8;
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

const DURING: Readonly<Record<CallingStep, ReleaseState | null>> = {
  upload: 'uploading',
  poll: null,
  submit: 'submitting',
  release: 'releasing',
  rollout: null,
  rollback: 'submitting',
  cancel: null,
};
const AFTER: Readonly<Record<CallingStep, Readonly<Record<'done' | 'pending', ReleaseState>>>> = {
  upload: { done: 'submitting', pending: 'processing' },
  poll: { done: 'submitting', pending: 'processing' },
  submit: { done: 'in_review', pending: 'in_review' },
  release: { done: 'releasing', pending: 'releasing' },
  rollout: { done: 'live', pending: 'live' },
  rollback: { done: 'releasing', pending: 'releasing' },
  cancel: { done: 'superseded', pending: 'superseded' },
};
const PENDING_PHASES: Readonly<Partial<Record<CallingStep, Phase>>> = {
  upload: 'validating',
  poll: 'validating',
  rollback: 'releasing',
};
const isCalling = (step: StepName): step is CallingStep => step in DURING;

const ON_THE_WAY: readonly ReleaseState[] = ['queued', 'uploading', 'processing', 'submitting'];
const AT_THE_STORE: readonly ReleaseState[] = ['in_review', 'approved', 'releasing', 'live'];

/** What a customer may say of a target. */
export interface Settings {
  readonly onPending: 'wait' | 'replace';
  readonly releaseMode: 'auto' | 'manual';
  /** The version whose release was asked for. */
  readonly releaseRequested: string | null;
  readonly rolloutPercent: number | null;
  readonly paused: boolean;
}
export const USUAL: Settings = {
  onPending: 'wait',
  releaseMode: 'auto',
  releaseRequested: null,
  rolloutPercent: null,
  paused: false,
};
/** What rollbacks bring back. */
const OLDER = '1.0';

const NOTHING_SHOWN: { liveVersion: string | null; submittedVersion: string | null } = {
  liveVersion: null,
  submittedVersion: null,
};

/** The state changes of the reconciler, the executor and the releases' service, without their database. */
export class ModelPierhead {
  pinned: string | null = null;
  phase: Phase = 'idle';
  nextCheckAt = START;
  writes = 0;
  settings: Settings;
  readonly releases: ReleaseEntity[] = [];
  /** What was done to the store that must never be done, whatever went before. */
  readonly trespasses: string[] = [];
  /** What was done to the store that must not be done after what Pierhead has heard of it. */
  readonly wrongs: string[] = [];
  private enabledAt: Date | null = null;
  /** Counts what the customer changed. */
  private revision = 0;
  private newer = 0;
  private looks = 0;
  private lastDone: string | null = null;
  private failures = 0;
  private shown = NOTHING_SHOWN;
  private readonly liveHeard = new Set<string>();
  private readonly rejected = new Set<Sent>();
  private readonly forgiven = new Set<Sent>();
  private readonly everPinned = new Set<string>();
  /** Versions that Pierhead tried to send in vain: it may believe that a person's submission of one is its own. */
  private readonly triedInVain = new Set<string>();
  /** Versions that stand for an older one. */
  private readonly rollbacks = new Set<string>();
  /** How often other content was pushed for a version. */
  private readonly contents = new Map<string, number>();
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
    this.settings = USUAL;
    for (const [name, value] of Object.entries(settings)) this.set({ [name]: value });
  }

  /** The channel that the target is at. */
  get store(): ModelStore {
    const [store] = this.channels;
    if (store === undefined) throw new Error('The item has no channel');
    return store;
  }

  /** A push; a version below what the target shows is refused to the customer. */
  pin(version: string): void {
    const { liveVersion, submittedVersion } = this.shown;
    for (const theirs of [liveVersion, submittedVersion])
      if (theirs !== null && compareVersions(version, theirs) < 0) return;
    this.pinned = version;
    this.everPinned.add(version);
    this.changed();
  }

  /** Other content for the pinned version. A push is refused once the store was given the first, and the planner does not rely on it. */
  pushOther(): void {
    const { pinned } = this;
    if (pinned === null || this.rollbacks.has(pinned)) return;
    this.contents.set(pinned, (this.contents.get(pinned) ?? 0) + 1);
    this.changed();
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
    const { liveVersion, submittedVersion } = this.shown;
    for (const theirs of [liveVersion, submittedVersion])
      if (theirs !== null && compareVersions(version, theirs) <= 0) return;
    if (!this.store.shape.kind.rollback || this.rollbacks.has(version)) return;
    this.rollbacks.add(version);
    this.pin(version);
  }

  /** Disabled and enabled: what ended badly before is tried again. */
  enable(): void {
    this.store.now += 1;
    this.enabledAt = new Date(this.store.now);
    for (const sent of this.rejected) this.forgiven.add(sent);
    this.changed();
  }

  /** Changes settings; what the store has no use for is refused. */
  set(change: Partial<Settings>): void {
    const { kind, staging } = this.store.shape;
    const { onPending, releaseMode, rolloutPercent } = change;
    if (onPending === 'replace' && !kind.canCancel && !kind.supersedesPending) return;
    if (releaseMode === 'manual' && staging === 'never') return;
    if (rolloutPercent != null && !kind.percentRollout) return;
    this.settings = { ...this.settings, ...change };
    this.changed();
  }

  /** `TargetsService.releaseNow`. */
  askForRelease(): void {
    const { pinned, phase } = this;
    if ((this.settings.releaseMode !== 'manual' && phase !== 'approved') || pinned === null) return;
    if (!['approved', 'in_review'].includes(phase)) return;
    this.askedFor.add(pinned);
    this.set({ releaseRequested: pinned });
  }

  /** Points the target at the store's other channel. */
  changeChannel(): void {
    if (this.channels.length === 1) return;
    this.channels.reverse();
    this.shown = NOTHING_SHOWN;
    this.askedFor.clear();
    this.store.remember();
    this.set({ releaseRequested: null });
  }

  /** The pinned version is Pierhead's, and rests until its release is asked for. */
  get isHeld(): boolean {
    const { releaseMode, releaseRequested } = this.settings;
    return releaseMode === 'manual' && releaseRequested !== this.pinned && this.current()?.isOurs === true;
  }

  /** The share of users that the live version is to be offered to at least; null for a version that is not Pierhead's. */
  get wantedShare(): number | null {
    const wanted = this.settings.rolloutPercent ?? ALL_USERS;
    if (this.store.shape.kind.widensByItself && wanted !== ALL_USERS) return null;
    return this.store.live === this.pinned && this.current()?.isOurs === true ? wanted : null;
  }

  private changed(): void {
    this.revision += 1;
    this.failures = 0;
    this.looks = 0;
    this.nextCheckAt = this.store.now;
  }

  /** From now on nothing befalls it any more. */
  spare(): void {
    this.faults.length = 0;
    this.blindnesses.length = 0;
  }

  hasSent(version: string): boolean {
    return this.releases.some((release) => release.isOurs && release.version === version);
  }

  /** Looks, decides, acts, until there is nothing more to do now. */
  run(): void {
    this.lastDone = null;
    try {
      for (let round = 1; round <= MOST_STEPS; round += 1) if (!this.round()) break;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.store.now += MINUTE;
      this.nextCheckAt = this.store.now;
    }
  }

  private round(): boolean {
    const { revision } = this;
    const look = this.look();
    if (look === null) return false;
    const release = this.settleLook(look);
    const { step } = look.plan;
    if (!isCalling(step)) return false;
    const pending = this.store.view.sent?.version ?? '';
    const isOfPending = step === 'cancel' || (step === 'release' && pending !== this.pinned);
    const version = isOfPending ? pending : (this.pinned ?? '');
    const of = isOfPending ? this.releases.find((one) => one.isOurs && one.version === version) : release;
    if (of === undefined || of === null) throw new Error(`There is no release to ${step}`);
    const fault = this.faults.shift() ?? 'none';
    this.interrupt(fault, 'before');
    if (this.revision !== revision) return true;
    const outcome = this.carryOut(step, { ...look, release }, of, fault);
    const what = `${step} ${version}`;
    if (outcome === 'done' && this.lastDone === what) this.wrongs.push(`${what}: done twice in a row`);
    this.lastDone = outcome === 'done' && fault !== 'lie' ? what : null;
    return outcome === 'done';
  }

  /** What the customer does while a step is under way. */
  private interrupt(fault: Fault, when: 'before' | 'after'): void {
    if (fault === `pin_${when}`) this.pinNext();
    if (fault === `pause_${when}`) this.set({ paused: true });
    if (fault === `hold_${when}`) this.set({ releaseMode: 'manual' });
  }

  private look(): Look<KnownTarget> | null {
    const blindness = this.blindnesses.shift() ?? 'none';
    if (blindness === 'down') {
      this.fail('retry', null);
      return null;
    }
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
    const release = this.current();
    const isOtherContent =
      release !== null &&
      release.artifactId !== this.artifactOf(release.version) &&
      this.handedOver.has(release.artifactId);
    const throttles = { uploads: null, writes: null };
    const knowledge = { ...this.known(), releases: [...this.releases], release, isOtherContent, throttles };
    const look = { ...knowledge, observed, plan: decide(knowledge, observed, this.time) };
    // Of the pinned version of an item that was taken down nothing is noted.
    const isNoted = (version: string | undefined): boolean => !view.takenDown || version !== this.pinned;
    if (!isBlindTo('live') && view.live !== null && isNoted(view.live)) this.hearLive(view.live);
    if (seesSent && view.sent !== null && isNoted(view.sent.version)) this.hearSent(view.sent);
    this.check(look);
    return look;
  }

  private known(): Pick<Look<KnownTarget>, 'target' | 'platform' | 'store' | 'pinned'> {
    const { pinned, settings } = this;
    const { liveVersion, submittedVersion } = this.shown;
    return {
      target: {
        storeItemId: 'item',
        enabledAt: this.enabledAt,
        ...settings,
        status: { liveVersion, submittedVersion, releaseRequested: settings.releaseRequested },
      } as unknown as KnownTarget,
      platform: null,
      store: { capabilities: this.store.shape.kind } as unknown as Store,
      pinned:
        pinned === null
          ? null
          : ({
              id: this.artifactOf(pinned),
              version: pinned,
              storeVersion: pinned,
              rollbackOf: this.rollbacks.has(pinned) ? OLDER : null,
            } as PinnedArtifact),
    };
  }

  private get time(): Date {
    return new Date(this.store.now);
  }

  /** `ReleasesService.currentOf`. */
  private current(): ReleaseEntity | null {
    const newest = this.releases.find(({ version }) => version === this.pinned);
    if (newest === undefined || newest.state === 'superseded') return null;
    const isFromBefore = this.enabledAt !== null && newest.stateAt < this.enabledAt;
    return hasFailed(newest.state) && isFromBefore ? null : newest;
  }

  /** `Reconciler.settleLook`. */
  private settleLook({ plan, observed, target, release, pinned }: Look<KnownTarget>): ReleaseEntity | null {
    const sets = isCalling(plan.step) || (plan.release !== null && plan.release !== 'superseded');
    const others = [...this.releases];
    const begun = release ?? (pinned !== null && sets ? this.begin(pinned.storeVersion) : null);
    if (begun !== null && plan.release !== null) this.move(begun, plan.release, { intent: null });
    for (const other of others) if (other !== begun) this.follow(other, observed);
    this.shown = versionsOf(target, observed);
    if (!isCalling(plan.step)) this.failures = 0;
    this.settle(plan.phase);
    if (isCalling(plan.step)) this.nextCheckAt = this.dueIn('uploading', 1);
    return begun;
  }

  begin(version: string): ReleaseEntity {
    const row: Partial<ReleaseEntity> = {
      artifactId: this.artifactOf(version),
      version,
      state: 'queued',
      stateAt: this.time,
      isOurs: false,
      verdictBefore: null,
      rollout: null,
      refusal: null,
    };
    const release = Object.assign(row, { intent: null, handles: {} }) as ReleaseEntity;
    this.releases.unshift(release);
    return release;
  }

  private move(release: ReleaseEntity, to: ReleaseState | null, also: Partial<ReleaseEntity>): void {
    const moves = to !== null && to !== release.state && canMove(release.state, to);
    Object.assign(release, also, moves ? { state: to, stateAt: this.time } : {});
  }

  /** `ReleasesService.followOthers`: a release that a late store does not show yet is given up, and forgotten. */
  private follow(other: ReleaseEntity, observed: Observed): void {
    const shown = shownState(other, observed, this.time);
    if (shown !== null && shown !== other.state) this.move(other, shown, { intent: null });
    const { sent } = this.store;
    if (other.state === 'superseded' && sent?.version === other.version) sent.isHeard = false;
  }

  /** `Executor.carryOut`, with what befalls it. */
  private carryOut(step: CallingStep, look: Look<KnownTarget>, release: ReleaseEntity, fault: Fault): string {
    const { isOurs, version } = release;
    const intent = { step, key: '' };
    const sends = step === 'submit' || step === 'rollback';
    this.checkRight(step, look, release);
    const submitting = sends ? { isOurs: true, verdictBefore: verdictOn(release, look.observed) } : {};
    const given = step === 'upload' || step === 'rollback' ? { artifactId: this.artifactOf(version) } : {};
    this.move(release, DURING[step], { intent, ...submitting, ...given });
    if (step === 'upload') this.handedOver.add(release.artifactId);
    this.interrupt(fault, 'after');
    if (sends && (fault === 'before' || fault === 'crash_before' || fault === 'lie')) this.triedInVain.add(version);
    if (fault === 'crash_before') throw new Crash();
    if (fault === 'before') return this.fail('retry', look.release);
    this.checkCall(step, look, release);
    if (step !== 'poll') this.writes += 1;
    try {
      const outcome = this.call(step, look, release, fault);
      if (fault === 'crash_after') throw new Crash();
      if (fault === 'after') return this.fail('retry', look.release);
      const rollout = { percent: look.target.rolloutPercent ?? ALL_USERS, at: this.time.toISOString() };
      this.move(release, AFTER[step][outcome], { intent: null, ...(step === 'rollout' ? { rollout } : {}) });
      if (outcome === 'pending') this.settle(PENDING_PHASES[step] ?? look.plan.phase);
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.move(release, step === 'upload' ? 'queued' : null, { intent: null, isOurs });
      return this.fail(error.failure, look.release);
    }
  }

  private call(
    step: CallingStep,
    { target }: Look<KnownTarget>,
    release: ReleaseEntity,
    fault: Fault,
  ): 'done' | 'pending' {
    const { store } = this;
    const { version, verdictBefore } = release;
    if (fault === 'lie') {
      if (step === 'upload' || step === 'poll') this.liedAt = store.confirmedAt = store.now;
      return 'done';
    }
    const percent = store.shape.kind.percentRollout ? target.rolloutPercent : null;
    const outcome = store.call({ step, version, isStaged: target.releaseMode === 'manual', percent, verdictBefore });
    store.remember();
    const isAnswered = fault !== 'crash_after' && fault !== 'after';
    if (isAnswered && step === 'submit' && store.sent?.version === version) store.sent.isHeard = true;
    return outcome;
  }

  /** `Reconciler.settleFailure`. */
  private fail(kind: FailureKind, release: ReleaseEntity | null): 'failed' {
    const isInReview = release?.state === 'in_review';
    const context = { storeTitle: 'The store', credential: 'key', version: this.pinned, isInReview };
    const verdict = judge({ kind, message: 'No.' }, context);
    if (release !== null && verdict.release !== null) this.move(release, verdict.release, { intent: null });
    if (verdict.isFailure) this.failures += 1;
    this.settle(verdict.phase);
    return 'failed';
  }

  private settle(phase: Phase): void {
    this.looks = phase === this.phase ? this.looks + 1 : 1;
    this.phase = phase;
    this.nextCheckAt = this.dueIn(phase, phase === 'backing_off' ? this.failures : this.looks);
  }

  private dueIn(phase: Phase, repeats: number): number {
    return nextCheck(phase, repeats, this.time, null, 0.5)?.getTime() ?? this.store.now;
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
    if (isRemembered && (isPending(sent) || state !== of.verdictBefore)) of.isHeard = true;
    if (state !== 'rejected' || !of.isHeard || of.by !== 'pierhead') return;
    this.rejected.add(of);
    // Given up for a newer one and pinned again, it is a new wish of the customer.
    const isGivenUp = this.releases.some(
      (one) => one.isOurs && one.version === of.version && one.state === 'superseded',
    );
    if (isGivenUp) this.forgiven.add(of);
  }

  private check({ plan, observed, pinned, release }: Look<KnownTarget>): void {
    const wrong = (what: string): number => this.wrongs.push(`${plan.step}: ${what}`);
    const version = pinned?.storeVersion ?? '';
    const live = observed.live.known ? observed.live.value : this.shown.liveVersion;
    const isOther = release !== null && release.artifactId !== pinned?.id && this.handedOver.has(release.artifactId);
    if (isOther && live === version && plan.phase === 'live') wrong('other content than is pinned is called live');
    if (isCalling(plan.step) && observed.takenDown) wrong('the item is taken down');
    if (isCalling(plan.step) && live !== null && compareVersions(live, version) > 0) wrong('a higher version is live');
    const { sent, view } = this.store;
    const isEnd = plan.release === 'rejected' || plan.release === 'cancelled';
    // A verdict on somebody else's submission that was never seen before passes for one on ours.
    const isOfAnother = view.sent !== null && view.sent.of !== sent && view.sent.state !== sent?.verdictBefore;
    if (isEnd && !isOfAnother && sent !== null && isPending(sent) && sent.isHeard && sent.version === version)
      wrong(`${version} is called ${plan.release} while it is in review`);
  }

  /** What the customer has not allowed, at the moment when the intent is written. */
  private checkRight(
    step: CallingStep,
    { pinned, target }: Look<KnownTarget>,
    { version, artifactId }: ReleaseEntity,
  ): void {
    const wrong = (what: string): number => this.trespasses.push(`${step} ${version}: ${what}`);
    const { paused, releaseMode, onPending } = this.settings;
    if (paused && step !== 'poll') wrong('the target is paused');
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

  private checkShare({ rolloutPercent }: KnownTarget, version: string, wrong: (what: string) => number): void {
    const { offered, liveBy } = this.store;
    if ((rolloutPercent ?? ALL_USERS) < (offered ?? ALL_USERS)) wrong('the share goes down');
    if (liveBy === 'person' && !this.triedInVain.has(version)) wrong('a person published it');
  }

  private checkCall(step: CallingStep, look: Look<KnownTarget>, { version }: ReleaseEntity): void {
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
    for (const one of this.rejected) if (one.version === version && !this.forgiven.has(one)) wrong('it was rejected');
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

/** `Executor.verdictOn`. */
function verdictOn({ version }: ReleaseEntity, { submission }: Observed): ReleaseEntity['verdictBefore'] {
  const held = submission.known && submission.value?.version === version ? submission.value.state : null;
  return held === 'rejected' || held === 'cancelled' ? held : null;
}

/** What `followOthers` takes a release for. */
function shownState(release: ReleaseEntity, { live, submission }: Observed, now: Date): ReleaseState | null {
  if (live.known && live.value === release.version) return 'live';
  const held = submission.known ? submission.value : null;
  if (held?.version === release.version) {
    if (held.state === 'unknown') return null;
    if (held.state === 'approved' && release.state === 'releasing' && isSettling({ since: release.stateAt }, now))
      return null;
    return held.state === 'cancelled' && release.intent?.step === 'cancel' ? 'superseded' : held.state;
  }
  if (ON_THE_WAY.includes(release.state)) return 'superseded';
  return AT_THE_STORE.includes(release.state) && live.known && submission.known ? 'superseded' : null;
}
