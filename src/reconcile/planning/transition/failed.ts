import type { StepOutcome, StoreFailure } from '../../../stores/index.js';
import type { TargetStatus } from '../../../targets/index.js';
import { eventOf, type TargetContext } from '../context.js';
import { effectOf, failureContext, isForPerson, leavesNumberFree, type FailureEffect } from '../failure-effect.js';
import type { Attempt, Failed, Transition } from './events.js';
import { moveRelease } from './release-changes.js';
import { changeStatus, checksAfterStep, type StatusChange, type Timing } from './change-status.js';
import { answered } from './stepped.js';

/** Comparison of a failed step with the attempts before it. */
interface Repetition {
  /** Number of times in a row that it failed in these words. */
  readonly times: number;
  /** It failed in the same words before, and means no more than it did then. */
  readonly isRepeated: boolean;
}

/** Notes that the store, or the way to it, failed a step. Pure. */
export function stepFailed(state: Attempt, event: Failed, timing: Timing): Transition {
  const { step, subject, wasSubmittedByPierhead, plan } = state;
  const { failure } = event;
  const { kind, message, details } = failure;
  const done = asDone(state, failure);
  if (done !== null) return answered(state, done, timing);
  // A step that the store refused or gave up was not done; a step without a clear answer may have been.
  const isTransient = kind === 'retry' && details.isFinal !== true;
  const mayHaveTakenEffect = isTransient && details.throttles === undefined;
  const returnsToQueue = step === 'upload' ? !mayHaveTakenEffect : step === 'poll' && details.isFinal === true;
  const { times, isRepeated } = repetitionOf(state, failure);
  // A fault that passes does not replace a refusal before it.
  const keepsRefusal = isTransient && subject.refusal !== null && subject.refusal.kind !== 'retry';
  const refusal = keepsRefusal ? subject.refusal : { step, kind, message, times };
  const handles = { ...subject.handles, ...details.handles };
  const reset = mayHaveTakenEffect ? {} : { intent: null, submittedByPierhead: wasSubmittedByPierhead };
  const after = moveRelease(
    state,
    subject,
    returnsToQueue ? 'queued' : null,
    { refusal, handles, ...reset },
    timing.now,
  );
  const data = { step, kind, status: details.status, raw: details.raw };
  const timeline = isRepeated ? [] : [eventOf(state, subject.version, 'step_failed', message, data)];
  const isNumberFree = leavesNumberFree(failure, step, wasSubmittedByPierhead);
  const failed = withFailure(after, event, timing, { times, isRepeated, isNumberFree });
  const report = { step, because: plan.because, outcome: 'failed' } as const;
  return { ...failed, timeline: [...timeline, ...failed.timeline], report };
}

/** Notes that the status check failed. A store that only asks to wait has not failed. Pure. */
export function observationFailed(state: TargetContext, event: Failed, timing: Timing): Transition {
  const failed = withFailure(state, event, timing, null);
  const { phase, message, isFailure } = failed.effect;
  const step = phase === 'backing_off' || !isFailure ? 'wait' : 'ask_human';
  return { ...failed, report: { step, because: message, outcome: isFailure ? 'failed' : 'none' } };
}

/** A failed step: how it compares, and what the store holds after it. */
interface FailedStep extends Repetition {
  readonly isNumberFree: boolean;
}

function repetitionOf({ step, subject: { refusal } }: Attempt, failure: StoreFailure): Repetition {
  const isSame = refusal?.step === step && refusal.kind === failure.kind && refusal.message === failure.message;
  const times = isSame ? (refusal.times ?? 1) + 1 : 1;
  return { times, isRepeated: isSame && isForPerson(failure, times) === isForPerson(failure, times - 1) };
}

/** @param step null when no step failed, but the question what the store has */
function withFailure(
  state: TargetContext,
  { failure, credential }: Failed,
  timing: Timing,
  step: FailedStep | null,
): Omit<Transition, 'report'> & { readonly effect: FailureEffect } {
  const { release, target } = state;
  const { retryAt, throttles, raw } = failure.details;
  const effect = effectOf(failure, {
    ...failureContext(state, credential),
    times: step?.times ?? 1,
    isNumberFree: step?.isNumberFree ?? false,
  });
  const ends = release !== null && effect.release !== null;
  const after = ends ? moveRelease(state, release, effect.release, { intent: null }, timing.now) : state;
  const repeated = effect.isFailure && step !== null ? { isRepeated: step.isRepeated } : {};
  const checksInPhase = step === null ? {} : { checksInPhase: checksAfterStep(target.status, effect.phase) };
  const change = { ...statusAfter(target.status, failure, effect, timing.now), ...checksInPhase };
  return {
    ...changeStatus(after, change, timing, { cause: failure.kind, raw, ...repeated }),
    throttle: retryAt === undefined ? null : { calls: throttles ?? 'all', until: retryAt },
    effect,
  };
}

function statusAfter(
  { failures, checkedAt }: TargetStatus,
  { details: { retryAt, throttles, isSealed } }: StoreFailure,
  { phase, message, isFailure }: FailureEffect,
  now: Date,
): StatusChange {
  return {
    phase,
    message,
    failures: isFailure ? failures + 1 : failures,
    // Only a throttle of everything keeps the store from being checked.
    ...(throttles === undefined ? { notBefore: retryAt ?? null } : { notBefore: null, checkBy: retryAt }),
    checkedAt: isSealed === true ? checkedAt : now,
  };
}

/**
 * The store's own "already done" is success. A store that shows no submission says only that one is under way: if Pierhead sent the version
 * a moment ago, and the answer was lost, it is presumably the one.
 */
function asDone(
  { step, wasSubmittedByPierhead, subject }: Attempt,
  { kind, message, details }: StoreFailure,
): StepOutcome | null {
  if (kind === 'done') return { outcome: 'done', note: message, raw: details.raw };
  if (step !== 'submit' || !wasSubmittedByPierhead || details.hasSubmission !== true) return null;
  const note = `The response to the submission of version ${subject.version} was lost. The store has a submission in progress, presumably this one.`;
  return { outcome: 'done', note, raw: details.raw };
}
