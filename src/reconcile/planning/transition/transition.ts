import type { Assessment, TargetContext } from '../context.js';
import { postponementSentence } from '../plan.js';
import type { Answered, Attempt, Failed, Faulted, Intended, ObservedEvent, Postponed, Transition } from './events.js';
import { observationFailed, stepFailed } from './failed.js';
import { storeObserved } from './observed.js';
import { changeStatus, type Timing } from './change-status.js';
import { answered, intended } from './stepped.js';

/**
 * Decides what an event makes of a target: its releases, its status, the timeline. Pure.
 * @param state what is known of the target, or of one platform of it
 */
export function transition(state: TargetContext, event: ObservedEvent, timing: Timing): Transition<Assessment>;
export function transition(state: Assessment, event: Intended, timing: Timing): Transition<Attempt>;
export function transition(state: Attempt, event: Answered, timing: Timing): Transition;
export function transition(
  state: TargetContext | Attempt,
  event: Failed | Postponed | Faulted,
  timing: Timing,
): Transition;
export function transition(
  state: TargetContext | Assessment | Attempt,
  event: ObservedEvent | Intended | Answered | Failed | Postponed | Faulted,
  timing: Timing,
): Transition {
  switch (event.type) {
    case 'observed':
      return storeObserved(state, event, timing);
    case 'intended':
      return intended(state as Assessment, event, timing);
    case 'answered':
      return answered(state as Attempt, event.answer, timing);
    case 'failed':
      return 'subject' in state ? stepFailed(state, event, timing) : observationFailed(state, event, timing);
    case 'postponed':
      return postponed(state, event, timing);
    case 'faulted':
      return faulted(state, event, timing);
  }
}

function postponed(state: TargetContext, { until, isFromStore }: Postponed, timing: Timing): Transition {
  const because = postponementSentence(state.store.title, until, isFromStore);
  const report = { step: 'wait', because, outcome: 'none' } as const;
  // The store was not asked, so this is no further check in the phase.
  const { checksInPhase } = state.target.status;
  return { ...changeStatus(state, { nextCheckAt: until, checksInPhase }, timing), throttle: null, report };
}

/** Backed off like a failure, and shown without its cause, which is in the log; with a remedy, it waits for a person. */
function faulted(state: TargetContext, { remedy }: Faulted, timing: Timing): Transition {
  const shown =
    remedy === null
      ? ({
          phase: 'backing_off',
          message: 'Something went wrong in Pierhead itself; the log has the cause. Pierhead tries again.',
        } as const)
      : ({ phase: 'action_required', message: remedy } as const);
  const failures = state.target.status.failures + 1;
  return { ...changeStatus(state, { ...shown, failures, platformStatuses: {} }, timing), throttle: null, report: null };
}
