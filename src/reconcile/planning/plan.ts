import type { Clearance } from '../../artifacts/index.js';
import type { Capabilities, ThrottledCalls } from '../../stores/index.js';
import type { Phase } from '../../targets/pure.js';
import type { ReleaseState, StepName } from '../releases/pure.js';

/** The share, in percent, that means all users. */
export const ALL_USERS = 100;

/** Facts about the pinned version's release to this target. */
export interface ReleaseFacts {
  readonly state: ReleaseState;
  /** When it entered this state. */
  readonly since: Date;
  /** Pierhead submitted it, not a person in the store's dashboard. */
  readonly submittedByPierhead: boolean;
  /** The verdict that the store showed for this version when the present submission began: it belongs to an earlier one. */
  readonly earlierVerdict: 'rejected' | 'cancelled' | null;
  /** The percentage of users that the store last accepted, and when; null before the first. */
  readonly rollout: { readonly percent: number; readonly since: Date } | null;
  /** Why the store refused it, in its words; null where it did not. */
  readonly refusal: string | null;
  /** The store has other content of this version than is pinned now. */
  readonly isOtherContent: boolean;
}

export interface PlanningFacts {
  readonly capabilities: Pick<
    Capabilities,
    | 'requiresArtifact'
    | 'canCancel'
    | 'canReadInReview'
    | 'supersedesPending'
    | 'sharedDraft'
    | 'widensByItself'
    | 'resubmission'
  >;
  /** An app of the pinned version was pushed, and is uploaded though the store does not need it. */
  readonly hasApp: boolean;
  readonly onPending: 'wait' | 'replace';
  /** Whether Pierhead submitted the other version that is in review. */
  readonly pendingSubmittedByPierhead: boolean;
  /** Whether that version may be released once approved: Pierhead submitted it, and did not request its release a moment ago. */
  readonly pendingIsReleasable: boolean;
  /** An approved version waits for a person to request its release. */
  readonly isHeld: boolean;
  /** A person requested the release of the pinned version. */
  readonly isReleaseRequested: boolean;
  /** The target was enabled again after the release entered its state. */
  readonly wasReenabled: boolean;
  /** Pierhead must not change anything at the store. */
  readonly isPaused: boolean;
  /** Share of users to offer the version to, in percent; null for all. */
  readonly rolloutPercent: number | null;
  /** The older version that the pinned one brings back; null for a version of its own. */
  readonly rollbackOf: string | null;
  /** Time until which the store waits for the sources that are to follow; null where none are, or it takes none. */
  readonly sourceDueAt: Date | null;
  /** Faults for which the store would refuse the pinned package, in sentences, unless a person has overridden them. */
  readonly refusals: readonly string[];
  /** Whether another person has approved the pinned version, where the extension requires it. */
  readonly clearance: Pick<Clearance, 'held' | 'why'>;
  /** The version that the store last showed as live. */
  readonly lastLive: string | null;
  /** The version that the store last showed on its way. */
  readonly lastSubmitted: string | null;
  readonly now: Date;
}

/** The next step and why, the target's phase meanwhile, and the release's state as the store shows it. */
export interface NextStep {
  readonly step: StepName;
  readonly because: string;
  readonly phase: Phase;
  readonly release: ReleaseState | null;
  /** The pinned version is not sent, since its store would refuse it. */
  readonly refusable?: true;
  /** The pinned version is not sent, since another person has not approved it, or has rejected it. */
  readonly approval?: 'waiting' | 'rejected';
  /** When the store accepts the step that it throttles now. */
  readonly throttledUntil?: Date;
}

/** Time until which a store accepts no calls of a kind with a credential. */
export type Throttles = Readonly<Record<ThrottledCalls, Date | null>>;

export const nextStep = (
  step: StepName,
  phase: Phase,
  because: string,
  release: ReleaseState | null = null,
): NextStep => ({ step, phase, because, release });

/** The phase in which a target rests before each step that would change something at the store. */
const PHASE_WHILE_WAITING: Partial<Readonly<Record<StepName, Phase>>> = {
  upload: 'queued',
  submit: 'queued',
  rollback: 'queued',
  cancel: 'queued',
  release: 'approved',
  rollout: 'live',
};

/** Returns the step of a paused target: it stays where the step would have begun. Pure. */
export const whilePaused = (decided: NextStep): NextStep => waitInstead(decided, 'The target is paused.');

/** The steps after which sources would come too late: what was uploaded keeps its content, and a submission takes them along. */
const TAKING_SOURCES: ReadonlySet<StepName> = new Set(['upload', 'submit']);

/** Returns the step that a target takes instead of sending a version whose sources are to follow. Pure. */
export function whileSourceFollows(decided: NextStep, version: string, dueAt: Date, now: Date): NextStep {
  if (!TAKING_SOURCES.has(decided.step)) return decided;
  return now < dueAt
    ? waitInstead(decided, `Pierhead waits until ${dueAt.toISOString()} for the source code of version ${version}.`)
    : nextStep(
        'ask_human',
        'action_required',
        `The source code of version ${version} did not arrive by ${dueAt.toISOString()}. Push the version again, with or without its source code.`,
      );
}

/** How many refusals a sentence names. */
const MAX_NAMED = 3;

/** The plan while the pinned package is not sent: a version that the store has taken is still published. */
const PUBLISHING: ReadonlySet<StepName> = new Set(['release', 'rollout']);

/**
 * Returns the step that a target takes instead of sending a package that its store would refuse, which would only use up the version's number.
 * An older version that is approved still goes live. Pure.
 */
export function whileRefusable(decided: NextStep, version: string, refusals: readonly string[]): NextStep {
  if (refusals.length === 0 || !(isQueued(decided) || isSending(decided))) return decided;
  const more = refusals.length - MAX_NAMED;
  const named = [...refusals.slice(0, MAX_NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
  const held = `The store would refuse version ${version}: ${named} Pierhead holds it. Push a mended package under the same number, for this store alone where others have it, or override the finding.`;
  return { ...heldBack(decided, held), refusable: true };
}

/**
 * Returns the step that a target takes instead of sending a version that another person has not approved, or of publishing one that Pierhead did not
 * send. An older version that is approved still goes live, and what was sent is published and widened. Pure.
 * @param isSent Pierhead sent the version to its review
 */
export function whileUnapproved(
  decided: NextStep,
  { held, why }: Pick<Clearance, 'held' | 'why'>,
  isSent: boolean,
): NextStep {
  const isPublishing = PUBLISHING.has(decided.step) && decided.phase !== 'queued' && !isSent;
  if (held === null || !(isQueued(decided) || isSending(decided) || isPublishing)) return decided;
  return { ...heldBack(decided, why), approval: held };
}

/** A version waits for another one to be out of its way. */
const isQueued = ({ step, phase }: NextStep): boolean => phase === 'queued' && (step === 'wait' || step === 'release');

/** The step gives the store something, or takes something from it to make room. */
const isSending = ({ step }: NextStep): boolean => step in PHASE_WHILE_WAITING && !PUBLISHING.has(step);

/** A person is needed; the release of an older version goes on. */
const heldBack = ({ step, phase, because, release }: NextStep, why: string): NextStep =>
  step === 'release' && phase === 'queued'
    ? nextStep(step, 'action_required', `${because} ${why}`, release)
    : nextStep('ask_human', 'action_required', why);

/** Returns the step that a target takes instead while the store throttles it. Pure. */
export function whileThrottled(decided: NextStep, throttles: Throttles, now: Date): NextStep {
  const calls = decided.step === 'upload' ? 'uploads' : 'writes';
  const until = throttles[calls];
  if (until === null || until <= now) return decided;
  const waiting = waitInstead(decided, `${throttleSentence(calls, until)}.`);
  return waiting === decided ? decided : { ...waiting, throttledUntil: until };
}

/** "… accepts no … with this credential before …", without a full stop. */
export const throttleSentence = (calls: ThrottledCalls, until: Date, who = 'The store'): string =>
  `${who} accepts no ${calls === 'uploads' ? 'uploads' : 'changes'} with this credential before ${until.toISOString()}`;

/** Why a store is not asked yet. @param isFromStore the store itself named the time */
export const postponementSentence = (title: string, until: Date, isFromStore: boolean): string =>
  `Pierhead does not contact ${title} before ${until.toISOString()}, ${isFromStore ? 'as the store requested' : 'to stay within its rate limit'}.`;

function waitInstead(decided: NextStep, why: string): NextStep {
  const before = PHASE_WHILE_WAITING[decided.step];
  if (before === undefined) return decided;
  const phase = decided.phase === 'queued' ? decided.phase : before;
  return { step: 'wait', phase, because: `${why} ${decided.because}`, release: null };
}
