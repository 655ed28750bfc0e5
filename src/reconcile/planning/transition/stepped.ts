import type { StepOutcome } from '../../../stores/index.js';
import type { Phase } from '../../../targets/index.js';
import { eventOf, isCalling, percentOf, releaseOf, type Assessment, type CallingStep } from '../context.js';
import { earlierVerdict } from '../release-facts.js';
import type { ReleaseState } from '../../releases/pure.js';
import type { Attempt, Intended, Transition } from './events.js';
import { moveRelease, releaseIn, withoutRequest } from './release-changes.js';
import {
  changeStatus,
  checksAfterStep,
  isRefused,
  nextCheckOf,
  type StatusUpdate,
  type Timing,
} from './change-status.js';

/** Effect of a step on the release and its target. */
interface StepStates {
  /** The release's state while the call is out; polling, widening and cancelling leave the present one. */
  readonly during: ReleaseState | null;
  /** The release's state once the store has answered that the step is done, or pending. */
  readonly done: ReleaseState;
  readonly pending: ReleaseState;
  /** The target's phase while the step is pending. */
  readonly phase: Phase;
}

const STATES: Readonly<Record<CallingStep, StepStates>> = {
  upload: { during: 'uploading', done: 'submitting', pending: 'processing', phase: 'validating' },
  poll: { during: null, done: 'submitting', pending: 'processing', phase: 'validating' },
  submit: { during: 'submitting', done: 'in_review', pending: 'in_review', phase: 'in_review' },
  release: { during: 'releasing', done: 'releasing', pending: 'releasing', phase: 'releasing' },
  rollout: { during: null, done: 'live', pending: 'live', phase: 'live' },
  rollback: { during: 'submitting', done: 'releasing', pending: 'releasing', phase: 'releasing' },
  cancel: { during: null, done: 'superseded', pending: 'superseded', phase: 'queued' },
};

/** Notes what is about to be done, so that a crash leaves a trace of it. Pure. */
export function intended(state: Assessment, { key }: Intended, { now }: Timing): Transition<Attempt> {
  const { plan, pinned, observed } = state;
  const { step } = plan;
  const subject = isCalling(step) ? releaseOf(step, state) : null;
  if (!isCalling(step) || subject === null || pinned === null) throw new Error(`There is no release to ${step}`);
  const isSent = step === 'submit' || step === 'rollback';
  const isGiven = step === 'upload' || step === 'rollback';
  const begun = moveRelease(
    step === 'submit' ? withoutRequest(state, subject) : state,
    subject,
    STATES[step].during,
    {
      intent: { step, key },
      ...(isSent ? { submittedByPierhead: true, earlierVerdict: earlierVerdict(subject, observed) } : {}),
      ...(isGiven ? { artifactId: pinned.id } : {}),
    },
    now,
  );
  const { releaseRequested } = begun.target.status;
  return {
    state: {
      ...begun,
      step,
      subject: releaseIn(begun, subject),
      wasSubmittedByPierhead: subject.submittedByPierhead,
      wasIntended: subject.intent?.step === step,
    },
    status: releaseRequested === state.target.status.releaseRequested ? null : { releaseRequested },
    timeline: [],
    throttle: null,
    report: null,
  };
}

/** Notes what the store answered to a step. Pure. */
export function answered(state: Attempt, answer: StepOutcome, timing: Timing): Transition {
  const { step, subject, target, plan } = state;
  const { now } = timing;
  const { outcome, note, raw } = answer;
  // An answer of "not yet" changes nothing, and would fill the timeline.
  const isDecided = step !== 'poll' || outcome === 'done';
  const after = moveRelease(
    state,
    subject,
    STATES[step][outcome],
    {
      handles: { ...subject.handles, ...answer.handles },
      rollout: step === 'rollout' ? { percent: percentOf(target), at: now.toISOString() } : subject.rollout,
      refusal: subject.refusal?.step === step && isDecided ? null : subject.refusal,
      intent: null,
    },
    now,
  );
  const timeline = isDecided ? [eventOf(state, subject.version, `step_${outcome}`, note, { step, raw })] : [];
  const report = { step, because: plan.because, outcome };
  if (outcome === 'done') return { state: after, status: null, timeline, throttle: null, report };
  const update = pending(after, note, timing);
  return { ...update, timeline: [...timeline, ...update.timeline], throttle: null, report };
}

/** The store has taken a step and is still working on it; the check that led to the step has been counted. */
function pending(state: Attempt, note: string, timing: Timing): StatusUpdate<Attempt> {
  const { status } = state.target;
  const planned = STATES[state.step].phase;
  const isKept = isRefused(state, planned) || status.refusable || status.approval !== null;
  const phase = isKept ? status.phase : planned;
  const checksInPhase = checksAfterStep(status, phase);
  return changeStatus(
    state,
    {
      phase,
      message: isKept ? status.message : note,
      refusable: status.refusable,
      approval: status.approval,
      checksInPhase,
      // A refused step that the store accepted for processing may be refused again, so the backoff continues.
      failures: isKept ? status.failures : 0,
      ...(isKept ? { nextCheckAt: nextCheckOf(planned, checksInPhase, null, timing) } : {}),
    },
    timing,
  );
}
