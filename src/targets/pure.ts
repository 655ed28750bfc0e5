/** The entry point for decisions: what needs no framework. */
export { channelOrNull } from './target-channel.js';
export { isSamePlace, isUnchanged, phaseSince, rescheduled, withoutOverwriting } from './status/target-status.js';
export {
  isYours,
  PHASE_FACTS,
  PHASES,
  TONES,
  type Display,
  type Pace,
  type Phase,
  type PhaseOfYours,
  type Tone,
  type Turn,
} from './status/phase.js';
export { displayOf, displayOfPhase, type Displayed } from './status/display.js';
export { wayOf } from './status/reviews.js';
export { rolloutOf } from './status/rollout.js';
export { platformStatusOf, withPlatformStatus } from './status/platform-status.js';
export type { TargetWithStatus, LockedTarget, TargetStatus } from './status/target-status.entity.js';
