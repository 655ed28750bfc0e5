import type { FailureKind } from '../../stores/index.js';
import { displayOfPhase, type Display, type Phase } from '../../targets/pure.js';
import { isBeforeSubmission, type ReleaseState } from './release-state.js';

/** A release is shown as its target is while it goes the same way. */
const PHASE_OF = {
  queued: 'queued',
  uploading: 'uploading',
  processing: 'validating',
  submitting: 'submitting',
  in_review: 'in_review',
  approved: 'approved',
  releasing: 'releasing',
  live: 'live',
  rejected: 'rejected',
} as const satisfies Partial<Record<ReleaseState, Phase>>;

/** The ways to end that a target does not have. */
const ENDED = {
  failed: { word: 'failed', tone: 'rejected', turn: 'you', progress: 2 },
  superseded: { word: 'replaced', tone: 'off', turn: null, progress: 0 },
  cancelled: { word: 'withdrawn', tone: 'off', turn: null, progress: 0 },
} as const satisfies Partial<Record<ReleaseState, Display>>;

/**
 * Display of a version at a target. A store that only asks to wait, as for a build, has refused nothing. Pure.
 * @param refusal what kind of failure its last step ended with, if it did
 * @param isHeld once approved, it waits until a person releases it
 */
export function displayOfRelease(state: ReleaseState, refusal: FailureKind | null, isHeld: boolean): Display {
  if (state in ENDED) return ENDED[state as keyof typeof ENDED];
  const phase = PHASE_OF[state as keyof typeof PHASE_OF];
  if (phase === 'live' || phase === 'rejected') return displayOfPhase(phase, isHeld);
  if (refusal === 'config' || refusal === 'credential') return displayOfPhase('action_required', isHeld);
  if (refusal === 'retry') return displayOfPhase('backing_off', isHeld);
  return displayOfPhase(refusal === 'wait' && isBeforeSubmission(state) ? 'queued' : phase, isHeld);
}
