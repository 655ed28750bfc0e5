/** The entry point for decisions: what needs no framework. */
export { channelOrNull } from './target-channel.js';
export { isSamePlace, isUnchanged, phaseSince, rescheduled, withoutOverwriting } from './status/target-status.js';
export { PHASES, type Phase } from './status/phase.js';
export { displayOf, displayOfPhase, HELD_MESSAGE, type Display, type Turn } from './status/display.js';
export { platformStatusOf, withPlatformStatus } from './status/platform-status.js';
export type { TargetWithStatus, LockedTarget, TargetStatus } from './status/target-status.entity.js';
