import type { PinnedArtifact } from '../../../src/artifacts/index.js';
import { compareVersions } from '../../../src/common/version/version.js';
import { decide, versionsOf, type Look } from '../../../src/reconcile/planning/look.js';
import { nextCheck } from '../../../src/reconcile/planning/next-check.js';
import type { StepName } from '../../../src/reconcile/planning/plan.js';
import { isSettling } from '../../../src/reconcile/planning/planner.js';
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

/** What befalls a call: `before` and `after` are failures on either side of the store's doing, the crashes leave the intent. */
export const FAULTS = ['none', 'before', 'after', 'crash_before', 'crash_after', 'pin_before', 'pin_after'] as const;
export type Fault = (typeof FAULTS)[number];
export const BLINDNESSES = ['none', 'live', 'submission', 'all', 'down'] as const;
export type Blindness = (typeof BLINDNESSES)[number];

class Crash extends Error {}

const DURING: Readonly<Record<CallingStep, ReleaseState | null>> = {
  upload: 'uploading',
  poll: null,
  submit: 'submitting',
  release: 'releasing',
  cancel: null,
};
const AFTER: Readonly<Record<CallingStep, Readonly<Record<'done' | 'pending', ReleaseState>>>> = {
  upload: { done: 'submitting', pending: 'processing' },
  poll: { done: 'submitting', pending: 'processing' },
  submit: { done: 'in_review', pending: 'in_review' },
  release: { done: 'releasing', pending: 'releasing' },
  cancel: { done: 'superseded', pending: 'superseded' },
};
const isCalling = (step: StepName): step is CallingStep => step in DURING;

const ON_THE_WAY: readonly ReleaseState[] = ['queued', 'uploading', 'processing', 'submitting'];
const AT_THE_STORE: readonly ReleaseState[] = ['in_review', 'approved', 'releasing', 'live'];

/** The state changes of the reconciler, the executor and the releases' service, without their database. */
export class ModelPierhead {
  pinned: string | null = null;
  phase: Phase = 'idle';
  nextCheckAt = START;
  writes = 0;
  readonly releases: ReleaseEntity[] = [];
  /** What was done to the store that must never be done. */
  readonly wrongs: string[] = [];
  private enabledAt: Date | null = null;
  private looks = 0;
  private lastDone: string | null = null;
  private failures = 0;
  private shown: { liveVersion: string | null; submittedVersion: string | null } = {
    liveVersion: null,
    submittedVersion: null,
  };
  private readonly liveHeard = new Set<string>();
  private readonly rejected = new Set<Sent>();
  private readonly forgiven = new Set<Sent>();
  private readonly everPinned = new Set<string>();
  /** Versions that Pierhead tried to send in vain: it may believe that a person's submission of one is its own. */
  private readonly triedInVain = new Set<string>();

  constructor(
    private readonly store: ModelStore,
    private readonly onPending: 'wait' | 'replace',
    private readonly faults: Fault[],
    private readonly blindnesses: Blindness[],
  ) {}

  /** A push; a version below what the target shows is refused to the customer. */
  pin(version: string): void {
    const { liveVersion, submittedVersion } = this.shown;
    for (const theirs of [liveVersion, submittedVersion])
      if (theirs !== null && compareVersions(version, theirs) < 0) return;
    this.pinned = version;
    this.everPinned.add(version);
    this.failures = 0;
    this.nextCheckAt = this.store.now;
  }

  pinNext(): void {
    const next = VERSIONS[VERSIONS.findIndex((version) => version === this.pinned) + 1];
    if (next !== undefined) this.pin(next);
  }

  /** Disabled and enabled: what ended badly before is tried again. */
  enable(): void {
    this.store.now += 1;
    this.enabledAt = new Date(this.store.now);
    for (const sent of this.rejected) this.forgiven.add(sent);
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
    if (fault === 'pin_before') {
      this.pinNext();
      if (this.pinned !== version && !isOfPending) return true;
    }
    const outcome = this.carryOut(step, { ...look, release }, of, fault);
    const what = `${step} ${version}`;
    if (outcome === 'done' && this.lastDone === what) this.wrongs.push(`${what}: done twice in a row`);
    this.lastDone = outcome === 'done' ? what : null;
    return outcome === 'done';
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
    const { readyAt } = this.store;
    const observed: Observed = {
      live: isBlindTo('live') ? UNKNOWN : known(view.live),
      submission: seesSent
        ? known(view.sent === null ? null : { version: view.sent.version, state: view.sent.state })
        : UNKNOWN,
      upload: known(readyAt === null ? 'none' : this.store.isProcessing ? 'processing' : 'ready'),
      takenDown: view.takenDown,
      warned: false,
      rolloutPercent: null,
      raw: null,
    };
    const knowledge = { ...this.known(), releases: [...this.releases], release: this.current() };
    const look = { ...knowledge, observed, plan: decide(knowledge, observed, this.time) };
    // Of the pinned version of an item that was taken down nothing is noted.
    const isNoted = (version: string | undefined): boolean => !view.takenDown || version !== this.pinned;
    if (!isBlindTo('live') && view.live !== null && isNoted(view.live)) this.hearLive(view.live);
    if (seesSent && view.sent !== null && isNoted(view.sent.version)) this.hearSent(view.sent);
    this.check(look);
    return look;
  }

  private known(): Pick<Look<KnownTarget>, 'target' | 'platform' | 'store' | 'pinned'> {
    const { pinned, onPending } = this;
    const { liveVersion, submittedVersion } = this.shown;
    return {
      target: {
        storeItemId: 'item',
        onPending,
        liveVersion,
        submittedVersion,
        releaseMode: 'auto',
        paused: false,
        rolloutPercent: null,
      } as KnownTarget,
      platform: null,
      store: { capabilities: this.store.shape.kind } as unknown as Store,
      pinned:
        pinned === null
          ? null
          : ({ id: pinned, version: pinned, storeVersion: pinned, rollbackOf: null } as PinnedArtifact),
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
    return begun;
  }

  begin(version: string): ReleaseEntity {
    const row: Partial<ReleaseEntity> = {
      version,
      state: 'queued',
      stateAt: this.time,
      isOurs: false,
      verdictBefore: null,
      rollout: null,
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
    const { submission } = look.observed;
    const held = submission.known ? submission.value?.state : undefined;
    const verdictBefore = held === 'rejected' || held === 'cancelled' ? held : null;
    const { isOurs } = release;
    const intent = { step, key: '' };
    this.move(release, DURING[step], step === 'submit' ? { intent, isOurs: true, verdictBefore } : { intent });
    if (fault === 'pin_after') this.pinNext();
    if (step === 'submit' && (fault === 'before' || fault === 'crash_before')) this.triedInVain.add(release.version);
    if (fault === 'crash_before') throw new Crash();
    if (fault === 'before') return this.fail('retry', look.release);
    this.checkCall(step, look, release);
    if (step !== 'poll') this.writes += 1;
    try {
      const outcome = this.store.call(step, release.version, release.verdictBefore);
      this.store.remember();
      if (fault === 'crash_after') throw new Crash();
      if (fault === 'after') return this.fail('retry', look.release);
      const { sent } = this.store;
      if (step === 'submit' && sent?.version === release.version) sent.isHeard = true;
      this.move(release, AFTER[step][outcome], { intent: null });
      if (outcome === 'pending') this.settle('validating');
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.move(release, null, { intent: null, isOurs });
      return this.fail(error.failure, look.release);
    }
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
    const due = nextCheck(phase, phase === 'backing_off' ? this.failures : this.looks, this.time, null, 0.5);
    this.nextCheckAt = due?.getTime() ?? this.store.now;
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

  private check({ plan, observed, pinned }: Look<KnownTarget>): void {
    const wrong = (what: string): number => this.wrongs.push(`${plan.step}: ${what}`);
    const version = pinned?.storeVersion ?? '';
    const live = observed.live.known ? observed.live.value : this.shown.liveVersion;
    if (isCalling(plan.step) && observed.takenDown) wrong('the item is taken down');
    if (isCalling(plan.step) && live !== null && compareVersions(live, version) > 0) wrong('a higher version is live');
    const { sent, view } = this.store;
    const isEnd = plan.release === 'rejected' || plan.release === 'cancelled';
    // A verdict on somebody else's submission that was never seen before passes for one on ours.
    const isOfAnother = view.sent !== null && view.sent.of !== sent && view.sent.state !== sent?.verdictBefore;
    if (isEnd && !isOfAnother && sent !== null && isPending(sent) && sent.isHeard && sent.version === version)
      wrong(`${version} is called ${plan.release} while it is in review`);
  }

  private checkCall(step: CallingStep, { pinned }: Look<KnownTarget>, { version }: ReleaseEntity): void {
    const { sent, live, draft, now, shape, confirmedAt } = this.store;
    const wrong = (what: string): number => this.wrongs.push(`${step} ${version}: ${what}`);
    if (!this.everPinned.has(version)) wrong('it was never pinned');
    if (step === 'release' || step === 'cancel') {
      const isSentByUs = sent?.version === version && (sent.by === 'pierhead' || this.triedInVain.has(version));
      const isShown = shape.lag === 0 || sent?.isSeen === true;
      if (isPending(sent) && isShown && !isSentByUs) wrong('Pierhead did not send it');
      if (step === 'cancel' && version === pinned?.storeVersion) wrong('it is pinned');
      return;
    }
    if (isPending(sent) && sent?.version === version && sent.isHeard) wrong('it is at the store already');
    if (live === version && this.liveHeard.has(version)) wrong('it is live already');
    for (const one of this.rejected) if (one.version === version && !this.forgiven.has(one)) wrong('it was rejected');
    if (step !== 'submit' || !shape.kind.sharedDraft || draft === null) return;
    if (draft.by === 'pierhead' && draft.version !== version) wrong(`the draft holds ${draft.version}`);
    if (draft.by === 'person' && draft.at > confirmedAt && now - draft.at > DRAFT_TRUSTED)
      wrong('a person replaced the draft long ago');
    if (draft.by === 'person' && draft.sent?.isSeen === true) wrong('a person was seen to replace the draft');
  }
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
