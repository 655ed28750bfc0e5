import { compareVersions, knownOr, type Observed, type Submission } from '../../stores/pure.js';
import type { Phase } from '../../targets/index.js';
import {
  ALL_USERS,
  nextStep,
  whilePaused,
  whileRefusable,
  whileSourceFollows,
  whileUnapproved,
  type PlanningFacts,
  type NextStep,
  type ReleaseFacts,
} from './plan.js';
import { HOUR_MS } from '../../common/system/index.js';
import { ageOf, isPending, isStoreLagging, type Rule, type Situation } from './situation.js';
import { drive, rollBack, lostSubmission, uploadInstead } from './driving.js';
import { hasFailed, isBeforeSubmission, isBeforeUpload, wasSubmitted } from '../releases/pure.js';

const RELEASING_MS = 6 * HOUR_MS;

/**
 * Decides the one next step for a target. Pure: the first rule that applies wins, in the order of `RULES`; the driving rules come last.
 * @param desired the pinned version as the store would show it; null when nothing is pinned
 */
export function plan(
  desired: string | null,
  observed: Observed,
  release: ReleaseFacts | null,
  facts: PlanningFacts,
): NextStep {
  if (observed.takenDown) return takenDown(desired, observed, release);
  const live = knownOr(observed.live, facts.lastLive);
  if (desired === null) return nothingPinned(live);
  const situation: Situation = {
    ...facts,
    desired,
    observed,
    release,
    live,
    isLiveKnown: observed.live.known,
    submission: knownOr(observed.submission, null),
    isSubmissionKnown: observed.submission.known,
    state: release?.state ?? 'queued',
  };
  for (const rule of RULES) {
    const decided = rule(situation);
    if (decided !== null) return whileHindered(decided, situation);
  }
  throw new Error(`No rule decides about a release that is ${situation.state}`);
}

/**
 * Replaces a step that must wait: while the target is paused, the package would be refused, another person has not approved it, or until the author
 * sends the sources.
 */
function whileHindered(decided: NextStep, situation: Situation): NextStep {
  const { desired, isPaused, refusals, clearance, release, sourceDueAt, now } = situation;
  if (isPaused) return whilePaused(decided);
  const accepted =
    isWithStore(situation) && decided.step !== 'upload' ? decided : whileRefusable(decided, desired, refusals);
  const allowed = whileUnapproved(accepted, clearance, release?.submittedByPierhead === true);
  return sourceDueAt === null ? allowed : whileSourceFollows(allowed, desired, sourceDueAt, now);
}

/** The store has taken the pinned package. */
const isWithStore = ({ state, release }: Situation): boolean =>
  !isBeforeUpload(state) && release?.isOtherContent !== true;

/** Another submission may have replaced the draft, even if the item is down. */
function takenDown(desired: string | null, { submission }: Observed, release: ReleaseFacts | null): NextStep {
  const beyondLive = knownOr(submission, null);
  const isPendingOther =
    beyondLive !== null &&
    desired !== null &&
    isPending(beyondLive) &&
    compareVersions(beyondLive.version, desired) !== 0;
  const because = 'The store took the item down; its dashboard says why.';
  return nextStep('ask_human', 'taken_down', because, release !== null && isPendingOther ? 'queued' : null);
}

const nothingPinned = (live: string | null): NextStep =>
  live === null
    ? nextStep('nothing', 'idle', 'No version is pinned yet.')
    : nextStep('nothing', 'idle', `Version ${live} is live, and no version is pinned yet.`);

const pinBelowLive: Rule = ({ live, desired }) =>
  live !== null && compareVersions(live, desired) > 0
    ? nextStep(
        'nothing',
        'live',
        `Version ${live} is live, which is higher than the pinned ${desired}; stores do not accept lower versions.`,
        'superseded',
      )
    : null;

const isDesired = ({ submission, desired }: Situation): boolean =>
  submission !== null && compareVersions(submission.version, desired) === 0;

/** The store does not say what is on its way, and has shown the version there. */
const isPresumedPending = ({ isSubmissionKnown, lastSubmitted, desired }: Situation): boolean =>
  !isSubmissionKnown && lastSubmitted !== null && compareVersions(lastSubmitted, desired) === 0;

/**
 * The store may have the version with other content than the pinned one, and accepts a number only once. After a failure, which may be the store's
 * answer to a submission that it has already, only what it shows as live or on its way counts; what it showed counts while it does not say.
 */
const otherContent: Rule = (situation) => {
  const { release, state, desired, live, submission } = situation;
  if (release?.isOtherContent !== true) return null;
  const isPresumed = isPresumedPending(situation);
  const isLive = live !== null && compareVersions(live, desired) === 0;
  const isShown = isLive || isPresumed || isDesired(situation);
  const isAtStore = isLive || isPresumed || (submission !== null && isDesired(situation) && isPending(submission));
  if (hasFailed(state) && !isAtStore) return null;
  if (isBeforeSubmission(state) && !release.submittedByPierhead && !isShown) return null;
  return nextStep(
    'ask_human',
    'action_required',
    `The store already has other content for version ${desired} than the package that is pinned now. Push it as a newer version.`,
  );
};

/** Offered to fewer users than the target wants: only ever raised, and only for what Pierhead published. */
const rolloutBelowTarget: Rule = ({ live, desired, release, observed, rolloutPercent, capabilities, now }) => {
  if (live === null || compareVersions(live, desired) !== 0 || release?.submittedByPierhead !== true) return null;
  if (capabilities.widensByItself && rolloutPercent !== null && rolloutPercent < ALL_USERS) return null;
  const offered = offeredOf(observed, release, now);
  const wanted = rolloutPercent ?? ALL_USERS;
  return offered !== null && wanted > offered
    ? nextStep(
        'rollout',
        'live',
        `Version ${live} is offered to ${offered} % of users, and the target asks for ${wanted} %.`,
        'live',
      )
    : null;
};

/** The store may not show the share yet that it has just accepted. */
function offeredOf({ rolloutPercent }: Observed, release: ReleaseFacts | null, now: Date): number | null {
  const rollout = release?.rollout ?? null;
  if (rolloutPercent === null || rollout === null || !isStoreLagging(rollout, now)) return rolloutPercent;
  return Math.max(rolloutPercent, rollout.percent);
}

const alreadyLive: Rule = ({ live, desired, observed, release, capabilities, now }) => {
  if (live === null || compareVersions(live, desired) !== 0) return null;
  const offered = offeredOf(observed, release, now) ?? ALL_USERS;
  const share = offered < ALL_USERS ? ` for ${offered} % of users` : '';
  const curve = share !== '' && capabilities.widensByItself ? '; the store raises the share by itself' : '';
  return nextStep('nothing', 'live', `Version ${live} is live${share}${curve}.`, 'live');
};

/** Meaning of the pinned version's state at the store. */
const ownSubmission: Rule = (situation) => {
  const { submission, desired } = situation;
  if (submission === null || !isDesired(situation)) return null;
  switch (submission.state) {
    case 'in_review':
      if (situation.observed.question !== undefined)
        return nextStep('ask_human', 'action_required', situation.observed.question, 'in_review');
      return nextStep('wait', 'in_review', `Version ${desired} is in review at the store.`, 'in_review');
    case 'unknown':
      return nextStep(
        'wait',
        'in_review',
        `The store has version ${desired} in a state that Pierhead does not know.`,
        'in_review',
      );
    case 'approved':
      return ownApproval(situation);
    case 'releasing':
      return nextStep('wait', 'releasing', `The store is releasing version ${desired}.`, 'releasing');
    case 'rejected':
    case 'cancelled':
      return ownVerdict(situation, submission.state, submission.words);
  }
};

function ownApproval({ desired, release, now, isHeld, isReleaseRequested }: Situation): NextStep {
  if (release?.submittedByPierhead !== true && !isReleaseRequested)
    return nextStep(
      'wait',
      'approved',
      `Version ${desired} is approved, but Pierhead has no record of submitting it and releases it only on request.`,
      'approved',
    );
  if (release?.state === 'releasing' && isStoreLagging(release, now))
    return nextStep(
      'wait',
      'releasing',
      `The release of version ${desired} was requested; the store does not show it yet.`,
    );
  if (isHeld)
    return nextStep('wait', 'approved', `Version ${desired} is approved; it is released on request.`, 'approved');
  return nextStep('release', 'releasing', `Version ${desired} is approved and ready to be released.`, 'approved');
}

/** A verdict counts when it is on this release's submission, and not on an earlier one. */
function ownVerdict(
  { desired, release, now, capabilities }: Situation,
  verdict: 'rejected' | 'cancelled',
  words?: string,
): NextStep | null {
  if (release === null) return null;
  const { state, submittedByPierhead, earlierVerdict } = release;
  const isAsBefore = earlierVerdict === verdict;
  if (state === 'in_review' && isAsBefore && isStoreLagging(release, now))
    return nextStep(
      'wait',
      'in_review',
      `Version ${desired} was submitted again; the store still shows the previous verdict.`,
    );
  const isOnAttempt = isBeforeSubmission(state) && submittedByPierhead && !isAsBefore;
  if (!wasSubmitted(state) && !isOnAttempt) return null;
  return verdict === 'rejected'
    ? nextStep(
        'ask_human',
        'rejected',
        `The store rejected version ${desired}${words === undefined ? '; its dashboard or an e-mail says why.' : `: ${words}`} Push a newer version${capabilities.resubmission ? ', or resubmit this one once the listing is mended' : ''}.`,
        'rejected',
      )
    : nextStep(
        'ask_human',
        'action_required',
        `The review of version ${desired} was cancelled at the store. Push a newer version, or resubmit this one.`,
        'cancelled',
      );
}

const ended: Rule = ({ state, desired, release }) => {
  if (!hasFailed(state)) return null;
  return state === 'cancelled'
    ? nextStep(
        'ask_human',
        'action_required',
        `The review of version ${desired} was cancelled. Push a newer version, or resubmit this one.`,
      )
    : nextStep(
        'ask_human',
        'rejected',
        `The store does not accept version ${desired}${release?.refusal == null ? '.' : `: ${release.refusal}`} Push a newer version.`,
      );
};

/** The version was live, and the store serves another one or none: a person took it back, and Pierhead does not undo that. */
const takenBackByPerson: Rule = ({ state, release, desired, live, isLiveKnown, now }) => {
  if (release === null || state !== 'live') return null;
  if (!isLiveKnown) return nextStep('nothing', 'live', `Version ${desired} was live when the store last showed it.`);
  if (isStoreLagging(release, now))
    return nextStep('wait', 'releasing', `Version ${desired} was live a moment ago, but the store does not show it.`);
  return nextStep(
    'ask_human',
    'action_required',
    `Version ${desired} was live, but the store now serves ${live === null ? 'no version' : `version ${live}`}. Check its dashboard; push a newer version to continue.`,
  );
};

/** Another version is in the way. Pierhead withdraws or releases only what it submitted itself. */
const otherPending: Rule = (situation) => {
  const { submission, desired, capabilities, onPending, pendingSubmittedByPierhead, pendingIsReleasable } = situation;
  if (submission === null || !isPending(submission)) return null;
  const order = compareVersions(submission.version, desired);
  // A store that supersedes submissions automatically would drop a higher version for a lower one.
  if (order === 0 || (order < 0 && capabilities.supersedesPending)) return null;
  const isWithdrawable = submission.state === 'in_review' || submission.state === 'approved';
  if (onPending === 'replace' && capabilities.canCancel && pendingSubmittedByPierhead && isWithdrawable)
    return nextStep(
      'cancel',
      'queued',
      `Version ${submission.version} is ${wordOf(submission)}, and ${desired} replaces it.`,
      'queued',
    );
  // At a store that leaves the release to Pierhead, the slot would otherwise never become free.
  if (onPending === 'wait' && order < 0 && submission.state === 'approved' && pendingIsReleasable)
    return nextStep(
      'release',
      'queued',
      `Version ${submission.version} is approved and goes live first; ${desired} follows.`,
      'queued',
    );
  const because = `Version ${submission.version} is ${wordOf(submission)}; ${followsAfter(submission, desired)}.`;
  return nextStep('wait', 'queued', because, 'queued');
};

const followsAfter = ({ version }: Submission, desired: string): string =>
  compareVersions(version, desired) > 0
    ? `the pinned ${desired} is lower, and follows only if that version does not go live`
    : `${desired} follows when that is done`;

const wordOf = ({ state }: Submission): string =>
  state === 'approved' ? 'approved and not yet released' : state === 'releasing' ? 'being released' : 'in review';

/** The version was submitted, but the store does not show it. */
const submissionNotShown: Rule = ({ state, release, desired, now, isSubmissionKnown, isLiveKnown }) => {
  if (release === null || !wasSubmitted(state)) return null;
  const phase: Phase = state === 'releasing' ? 'releasing' : state === 'approved' ? 'approved' : 'in_review';
  const isPatient = state === 'releasing' ? ageOf(release, now) < RELEASING_MS : isStoreLagging(release, now);
  if (!isSubmissionKnown || !isLiveKnown)
    return nextStep(
      'wait',
      phase,
      `Version ${desired} was submitted and is presumed ${phase === 'in_review' ? 'in review' : phase}; this store does not show it.`,
    );
  if (isPatient) return nextStep('wait', phase, `Version ${desired} was submitted; the store does not show it yet.`);
  return nextStep(
    'ask_human',
    'action_required',
    `Version ${desired} was submitted, but the store no longer shows it. Check its dashboard, and resubmit the version if it is not there.`,
    'cancelled',
  );
};

/** Precedence, first to last. A table in `planner.spec.ts` has a row for each. */
const RULES: readonly Rule[] = [
  pinBelowLive,
  otherContent,
  rolloutBelowTarget,
  alreadyLive,
  ownSubmission,
  ended,
  takenBackByPerson,
  otherPending,
  submissionNotShown,
  rollBack,
  uploadInstead,
  lostSubmission,
  drive,
];
