import type { Capabilities, ThrottledCalls } from '../../stores/index.js';
import type { Phase } from '../../targets/index.js';
import type { ReleaseState } from './release-state.js';

export const STEPS = [
  'nothing',
  'wait',
  'upload',
  'poll',
  'submit',
  'release',
  'rollout',
  'rollback',
  'cancel',
  'ask_human',
] as const;
export type StepName = (typeof STEPS)[number];

/** What is remembered of the pinned version's way to this target. */
export interface ReleaseFacts {
  readonly state: ReleaseState;
  /** When it came into this state. */
  readonly since: Date;
  /** Pierhead, and no person in the store's dashboard, sent it to review. */
  readonly isOurs: boolean;
  /** What the store held of this version when the submission under way began: an old verdict, not on this submission. */
  readonly verdictBefore: 'rejected' | 'cancelled' | null;
  /** The share of users, in percent, that the store last took, and since when; null before the first. */
  readonly rollout: { readonly percent: number; readonly since: Date } | null;
  /** The store was given other content of this version than is pinned now. */
  readonly isOtherContent: boolean;
}

export interface Facts {
  readonly capabilities: Pick<
    Capabilities,
    'requiresArtifact' | 'canCancel' | 'canReadInReview' | 'supersedesPending' | 'sharedDraft' | 'widensByItself'
  >;
  readonly onPending: 'wait' | 'replace';
  /** Whether Pierhead sent the other version that is in review. */
  readonly pendingIsOurs: boolean;
  /** That version, once approved, may be released: Pierhead sent it, and has not asked for that a moment ago. */
  readonly pendingIsReleasable: boolean;
  /** An approved version rests until a person asks for its release, and nobody has. */
  readonly isHeld: boolean;
  /** A person asked for the release of the pinned version. */
  readonly isAskedFor: boolean;
  /** The target was enabled anew since the release came into its state. */
  readonly isEnabledAnew: boolean;
  /** Nothing is to be done at the store. */
  readonly isPaused: boolean;
  /** Share of users to offer the version to, in percent; null for all. */
  readonly rolloutPercent: number | null;
  /** The older version that the pinned one brings back; null for a version of its own. */
  readonly rollbackOf: string | null;
  /** What was live when the store could last tell. */
  readonly lastLive: string | null;
  readonly now: Date;
}

/** The one next step and why, the phase that it means for the target, and the state that the look shows the release to be in. */
export interface Plan {
  readonly step: StepName;
  readonly because: string;
  readonly phase: Phase;
  readonly release: ReleaseState | null;
  /** When the store takes the step that it throttles now. */
  readonly throttledUntil?: Date;
}

/** Until when a store takes no calls of a kind with a credential. */
export type Throttles = Readonly<Record<ThrottledCalls, Date | null>>;

export const answer = (step: StepName, phase: Phase, because: string, release: ReleaseState | null): Plan => ({
  step,
  phase,
  because,
  release,
});

/** The phase in which a target rests before each step that would change something at the store. */
const RESTS_BEFORE: Partial<Readonly<Record<StepName, Phase>>> = {
  upload: 'queued',
  submit: 'queued',
  rollback: 'queued',
  cancel: 'queued',
  release: 'approved',
  rollout: 'live',
};

/** What a paused target does instead: it rests where the step would have begun. Pure. */
export const asPaused = (decided: Plan): Plan => resting(decided, 'The target is paused.');

/** What a target does instead while the store throttles the step. Pure. */
export function asThrottled(decided: Plan, throttles: Throttles, now: Date): Plan {
  const calls = decided.step === 'upload' ? 'uploads' : 'writes';
  const until = throttles[calls];
  if (until === null || until <= now) return decided;
  const rested = resting(decided, `${noMore(calls, until)}.`);
  return rested === decided ? decided : { ...rested, throttledUntil: until };
}

/** "The store takes no … before …", without its subject's name. */
export const noMore = (calls: ThrottledCalls, until: Date, who = 'The store'): string =>
  `${who} takes no ${calls === 'uploads' ? 'uploads' : 'changes'} with this credential before ${until.toISOString()}`;

function resting(decided: Plan, why: string): Plan {
  const before = RESTS_BEFORE[decided.step];
  if (before === undefined) return decided;
  const phase = decided.phase === 'queued' ? decided.phase : before;
  return { step: 'wait', phase, because: `${why} ${decided.because}`, release: null };
}
