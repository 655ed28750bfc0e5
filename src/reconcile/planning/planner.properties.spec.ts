import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PinnedArtifact } from '../../artifacts/index.js';
import { compareVersions } from '../../common/version/version.js';
import {
  known,
  SUBMISSION_STATES,
  UNKNOWN,
  type Capabilities,
  type FailureKind,
  type Observed,
  type Store,
  type SubmissionState,
} from '../../stores/index.js';
import type { KnownTarget, Phase } from '../../targets/index.js';
import { decide, versionsOf, type Look } from './look.js';
import { nextCheck } from './next-check.js';
import { isSettling } from './planner.js';
import type { StepName } from './plan.js';
import type { ReleaseEntity } from '../releases/release.entity.js';
import { canMove, hasFailed, RELEASE_STATES, type ReleaseState } from './release-state.js';
import { judge } from './verdicts.js';

/**
 * The planner against a store that is modelled: what the store truly holds is known here, what Pierhead is shown of it is late, partial or
 * missing, and every write is held against the truth.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-21T12:00:00Z');
/** How long a draft that anyone may replace is trusted, by design. */
const DRAFT_TRUSTED = 30 * MINUTE;
const VERSIONS = ['1.1', '1.2', '1.3', '1.4'] as const;
const MOST_STEPS = 8;

type Party = 'pierhead' | 'person';
type CallingStep = 'upload' | 'poll' | 'submit' | 'release' | 'cancel';

// ---------------------------------------------------------------- the store

interface Kind extends Pick<Capabilities, 'requiresArtifact' | 'canCancel' | 'supersedesPending' | 'sharedDraft'> {
  /** Whether it tells what is submitted. */
  readonly tells: boolean;
}

const KINDS = {
  draft: { requiresArtifact: true, canCancel: true, supersedesPending: false, sharedDraft: true, tells: true },
  superseding: { requiresArtifact: true, canCancel: false, supersedesPending: true, sharedDraft: false, tells: true },
  builds: { requiresArtifact: false, canCancel: true, supersedesPending: false, sharedDraft: false, tells: true },
  silent: { requiresArtifact: true, canCancel: false, supersedesPending: false, sharedDraft: true, tells: false },
} satisfies Record<string, Kind>;

interface Sent {
  readonly version: string;
  readonly by: Party;
  state: SubmissionState;
  /** Pierhead was told that it exists: by the answer to its call, or by a look. */
  isHeard: boolean;
  /** A look showed it before its review had ended. */
  isSeen: boolean;
  /** The verdict that Pierhead saw when it sent it; seen again, it cannot be told from this one's. */
  readonly verdictBefore: string | null;
}

interface Draft {
  readonly version: string;
  readonly by: Party;
  readonly at: number;
  /** The submission that it was replaced for. */
  readonly sent: Sent | null;
}

interface View {
  readonly live: string | null;
  readonly sent: { readonly of: Sent; readonly version: string; readonly state: SubmissionState } | null;
  readonly takenDown: boolean;
}

interface StoreShape {
  readonly kind: Kind;
  /** Approved versions rest until they are released. */
  readonly isStaged: boolean;
  /** How long a change takes to be shown. */
  readonly lag: number;
  /** How long an upload is processed. */
  readonly processing: number;
}

class Refused extends Error {
  constructor(readonly failure: FailureKind) {
    super(`refused: ${failure}`);
  }
}

const isPending = (sent: Pick<Sent, 'state'> | null): boolean =>
  sent !== null && sent.state !== 'rejected' && sent.state !== 'cancelled';

class ModelStore {
  now = START;
  live: string | null = null;
  sent: Sent | null = null;
  draft: Draft | null = null;
  readyAt: number | null = null;
  /** When Pierhead was last told that its upload is ready. */
  confirmedAt = START;
  takenDown = false;
  readonly uploads = new Set<string>();
  private readonly past: { readonly at: number; readonly view: View }[] = [];

  constructor(readonly shape: StoreShape) {}

  /** Keeps what a late look will show. */
  remember(): void {
    const { live, sent, takenDown } = this;
    const shown = sent === null ? null : { of: sent, version: sent.version, state: sent.state };
    this.past.push({ at: this.now, view: { live, sent: shown, takenDown } });
  }

  get view(): View {
    const shown = this.past.findLast(({ at }) => at <= this.now - this.shape.lag) ?? this.past[0];
    if (shown === undefined) throw new Error('The model remembers nothing');
    return shown.view;
  }

  get isProcessing(): boolean {
    return this.readyAt !== null && this.now < this.readyAt;
  }

  call(step: CallingStep, version: string, verdictBefore: string | null): 'done' | 'pending' {
    if (this.takenDown) throw new Refused('config');
    switch (step) {
      case 'upload':
        this.mustTake(version);
        this.draft = { version, by: 'pierhead', at: this.now, sent: null };
        this.uploads.add(version);
        this.readyAt = this.now + this.shape.processing;
        return this.uploaded();
      case 'poll':
        return this.uploaded();
      case 'submit':
        return this.submit(version, verdictBefore);
      case 'release':
        if (this.sent?.state === 'approved') this.sent.state = 'releasing';
        else if (this.live !== version && this.sent?.state !== 'releasing') throw new Refused('config');
        return 'done';
      case 'cancel':
        if (this.sent !== null && isPending(this.sent)) this.sent.state = 'cancelled';
        return 'done';
    }
  }

  private uploaded(): 'done' | 'pending' {
    if (this.isProcessing || this.readyAt === null) return 'pending';
    this.confirmedAt = this.now;
    return 'done';
  }

  private submit(version: string, verdictBefore: string | null): 'done' {
    const { kind } = this.shape;
    const content = kind.sharedDraft ? this.draft?.version : version;
    if (content === undefined || (kind.requiresArtifact && !kind.sharedDraft && !this.uploads.has(version)))
      throw new Refused('config');
    this.mustTake(content);
    if (this.isProcessing) throw new Refused('wait');
    // What a person slipped into the draft is that person's, whoever sent it.
    const by = content === version ? 'pierhead' : 'person';
    this.sent = { version: content, by, state: 'in_review', isHeard: false, isSeen: false, verdictBefore };
    return 'done';
  }

  private mustTake(version: string): void {
    if (isPending(this.sent) && (!this.shape.kind.supersedesPending || this.sent?.version === version))
      throw new Refused('wait');
    if (this.live !== null && compareVersions(version, this.live) <= 0) throw new Refused('artifact');
  }

  /** The review's and the release's next step. */
  approve(): void {
    const { sent } = this;
    if (sent === null) return;
    if (sent.state === 'releasing' || (isPending(sent) && sent.state !== 'approved' && !this.shape.isStaged)) {
      this.live = sent.version;
      this.sent = null;
    } else if (sent.state === 'in_review' || sent.state === 'unknown') sent.state = 'approved';
  }

  release(): void {
    if (this.sent?.state === 'approved') this.sent.state = 'releasing';
  }

  /** One upload is taken at a time, and none while a review is open. */
  personReplacesDraft(version: string, sent: Sent | null = null): void {
    if (this.isProcessing || (sent === null && isPending(this.sent))) return;
    this.draft = { version, by: 'person', at: this.now, sent };
  }

  personSubmits(version: string): void {
    const isBlocked = isPending(this.sent) && !this.shape.kind.supersedesPending;
    if (isBlocked || this.isProcessing || (this.live !== null && compareVersions(version, this.live) <= 0)) return;
    const sent: Sent = {
      version,
      by: 'person',
      state: 'in_review',
      isHeard: false,
      isSeen: false,
      verdictBefore: null,
    };
    this.personReplacesDraft(version, sent);
    this.sent = sent;
  }

  judge(state: 'rejected' | 'cancelled' | 'unknown'): void {
    if (this.sent !== null && isPending(this.sent) && this.sent.state !== 'releasing') this.sent.state = state;
  }
}

// ------------------------------------------------------------- Pierhead

/** What befalls a call: `before` and `after` are failures on either side of the store's doing, the crashes leave the intent. */
const FAULTS = ['none', 'before', 'after', 'crash_before', 'crash_after', 'pin_before', 'pin_after'] as const;
type Fault = (typeof FAULTS)[number];
const BLINDNESSES = ['none', 'live', 'submission', 'all', 'down'] as const;
type Blindness = (typeof BLINDNESSES)[number];

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
class ModelPierhead {
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

// ------------------------------------------------------------- the world

const ACTIONS = [
  'nothing',
  'approve',
  'reject',
  'odd_state',
  'person_replaces_draft',
  'person_submits',
  'person_cancels',
  'person_releases',
  'take_down',
  'restore',
  'pin',
  'enable',
] as const;
interface Happening {
  readonly action: (typeof ACTIONS)[number];
  readonly version: string;
  readonly minutes: number;
  /** Whether Pierhead looks before the next thing happens. */
  readonly isLookedAt: boolean;
}

function happen(store: ModelStore, pierhead: ModelPierhead, { action, version, minutes, isLookedAt }: Happening): void {
  store.now += minutes * MINUTE;
  switch (action) {
    case 'nothing':
      break;
    case 'approve':
      store.approve();
      break;
    case 'reject':
      store.judge('rejected');
      break;
    case 'odd_state':
      store.judge('unknown');
      break;
    case 'person_cancels':
      store.judge('cancelled');
      break;
    case 'person_releases':
      if (store.sent?.by === 'person') store.release();
      break;
    // A version that Pierhead has sent, sent by a person as well, cannot be told from Pierhead's own.
    case 'person_replaces_draft':
      if (!pierhead.hasSent(version)) store.personReplacesDraft(version);
      break;
    case 'person_submits':
      if (!pierhead.hasSent(version)) store.personSubmits(version);
      break;
    case 'take_down':
    case 'restore':
      store.takenDown = action === 'take_down';
      break;
    case 'pin':
      pierhead.pin(version);
      break;
    case 'enable':
      pierhead.enable();
  }
  store.remember();
  if (isLookedAt) pierhead.run();
}

/** Reviews approve, persons finish what they began and answer when they are asked. @returns how many runs it took; null for never */
function bringToRest(store: ModelStore, pierhead: ModelPierhead): number | null {
  pierhead.spare();
  for (let count = 1; count <= 60; count += 1) {
    store.takenDown = false;
    store.remember();
    store.now = Math.max(store.now + MINUTE, pierhead.nextCheckAt);
    pierhead.run();
    if (pierhead.phase === 'live') return count;
    if (pierhead.phase === 'rejected' || pierhead.phase === 'action_required') {
      const isTakenBack = pierhead.releases.some(
        ({ version, state }) => version === pierhead.pinned && state === 'live',
      );
      if (isTakenBack) pierhead.pinNext();
      else pierhead.enable();
    }
    // What Pierhead says it will not release, and what is not pinned any more, is released by a person.
    if (pierhead.phase === 'approved' || store.sent?.version !== pierhead.pinned) store.release();
    store.approve();
    store.remember();
  }
  return null;
}

const version = fc.constantFrom(...VERSIONS);
const party = fc.constantFrom<Party>('pierhead', 'person');
const happening: fc.Arbitrary<Happening> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  version,
  minutes: fc.constantFrom(0, 1, 5, 14, 31, 120, 24 * 60),
  isLookedAt: fc.boolean(),
});

interface World extends StoreShape {
  readonly onPending: 'wait' | 'replace';
  readonly faults: readonly Fault[];
  readonly blindnesses: readonly Blindness[];
  readonly happenings: readonly Happening[];
}

/** A store that is late, or at times blind; not both, since a verdict from before a submission may then never have been seen. */
const hostileWorld = (kinds: readonly Kind[]): fc.Arbitrary<World> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    isStaged: fc.boolean(),
    lag: fc.constantFrom(0, 0, 3 * MINUTE, 10 * MINUTE),
    processing: fc.constantFrom(0, 0, 2 * MINUTE, 15 * MINUTE),
    onPending: fc.constantFrom('wait', 'replace'),
    faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
    blindnesses: fc.array(fc.constantFrom(...BLINDNESSES), { maxLength: 12 }),
    happenings: fc.array(happening, { maxLength: 25 }),
  });

function live({ onPending, faults, blindnesses, happenings, ...shape }: World): {
  store: ModelStore;
  pierhead: ModelPierhead;
} {
  const store = new ModelStore(shape);
  store.remember();
  const pierhead = new ModelPierhead(store, onPending, [...faults], shape.lag === 0 ? [...blindnesses] : []);
  pierhead.pin('1.1');
  for (const each of happenings) happen(store, pierhead, each);
  return { store, pierhead };
}

/** Weeks in which nothing changes: whatever is written now is written for nothing. */
function writesAtRest(store: ModelStore, pierhead: ModelPierhead): number {
  const before = pierhead.writes;
  for (let day = 1; day <= 14; day += 1) {
    store.now += DAY;
    store.remember();
    pierhead.run();
    if (pierhead.phase !== 'live') throw new Error(`Day ${day} found the target ${pierhead.phase}`);
  }
  return pierhead.writes - before;
}

const runs = (count: number): number => Number(process.env['RUNS'] ?? count);
const TELLING = Object.values(KINDS).filter(({ tells }) => tells);

describe('whatever a store, its reviewers and its owner do', () => {
  it('nothing is done to it that must never be done', () => {
    fc.assert(
      fc.property(hostileWorld(Object.values(KINDS)), (world) => {
        expect(live(world).pierhead.wrongs).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('the pinned version, or what a person put above it, is live once reviews approve and persons answer', () => {
    fc.assert(
      fc.property(hostileWorld(TELLING), (world) => {
        const { store, pierhead } = live(world);
        expect(bringToRest(store, pierhead)).not.toBeNull();
        expect(compareVersions(store.live ?? '0', pierhead.pinned ?? '')).toBeGreaterThanOrEqual(0);
        expect(writesAtRest(store, pierhead)).toBe(0);
        expect(pierhead.wrongs).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('an obedient store', () => {
  const anything = fc.record({
    kind: fc.constantFrom(...TELLING),
    isStaged: fc.boolean(),
    lag: fc.constant(0),
    processing: fc.constantFrom(0, 2 * MINUTE),
    onPending: fc.constantFrom('wait' as const, 'replace' as const),
    live: fc.constantFrom(null, '1.0', ...VERSIONS),
    sent: fc.option(
      fc.record({
        version: fc.constantFrom('1.0', ...VERSIONS),
        state: fc.constantFrom(...SUBMISSION_STATES),
      }),
    ),
    draft: fc.option(fc.record({ version, by: party, age: fc.nat(60) })),
    isForgotten: fc.boolean(),
    release: fc.option(
      fc.record({
        state: fc.constantFrom(...RELEASE_STATES),
        age: fc.nat(24 * 60),
        isOurs: fc.boolean(),
        verdictBefore: fc.constantFrom(null, 'rejected' as const, 'cancelled' as const),
      }),
    ),
  });

  it('is brought to the pinned version from any state, in few writes, and then left alone', () => {
    fc.assert(
      fc.property(anything, ({ onPending, live: isLive, sent, draft, isForgotten, release, ...shape }) => {
        const store = new ModelStore(shape);
        const hasUploaded = release?.state === 'processing' || release?.state === 'submitting';
        if (hasUploaded) store.call('upload', '1.2', null);
        store.live = isLive;
        const by = release?.isOurs === true && sent?.version === '1.2' ? 'pierhead' : 'person';
        if (sent !== null) store.sent = { ...sent, by, isHeard: false, isSeen: false, verdictBefore: null };
        if (draft !== null) store.draft = { ...draft, at: START - draft.age * MINUTE, sent: null };
        if (isForgotten) store.readyAt = null;
        const pierhead = new ModelPierhead(store, onPending, [], []);
        pierhead.pin('1.2');
        if (release !== null) {
          const { age, ...facts } = release;
          Object.assign(pierhead.begin('1.2'), facts, { stateAt: new Date(START - age * MINUTE) });
        }
        store.remember();
        expect(bringToRest(store, pierhead)).not.toBeNull();
        expect(pierhead.writes).toBeLessThanOrEqual(8);
        expect(compareVersions(store.live ?? '0', '1.2')).toBeGreaterThanOrEqual(0);
        expect(writesAtRest(store, pierhead)).toBe(0);
      }),
      { numRuns: runs(1000) },
    );
  });
});
