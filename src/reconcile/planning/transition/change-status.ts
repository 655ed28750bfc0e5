import { compareVersions, type FailureKind } from '../../../stores/pure.js';
import type { NewEvent } from '../../../registry/index.js';
import { withPlatformStatus, type Phase, type TargetStatus } from '../../../targets/pure.js';
import { eventOf, isCalling, releaseOf, type Assessment, type TargetContext } from '../context.js';
import { keepsRefusal } from '../failure-effect.js';
import { nextCheck } from '../next-check.js';
import { progressOf } from '../stall.js';

/** The time, the random number that spreads checks, and the settings that a transition depends on. */
export interface Timing {
  readonly now: Date;
  /** From 0 to 1. */
  readonly random: number;
  /** The first pause between two checks of a review. */
  readonly reviewMs: number;
  readonly stalledAfterMs: number;
}

/** Changes of a status. */
export type StatusChange = Partial<TargetStatus> & {
  /** The store is checked by then, even if its usual turn comes later. */
  readonly checkBy?: Date | undefined;
};

/** Reason for a change, as its event keeps it. */
export interface Cause {
  readonly raw?: unknown;
  readonly cause?: FailureKind | 'approval' | 'cancelled';
  /** Of a refusal: whether the store said the same before. */
  readonly isRepeated?: boolean;
}

/** A context with another status of its target, what to write of it, and the events that follow. */
export interface StatusUpdate<State> {
  readonly state: State;
  readonly status: TargetStatus;
  readonly timeline: readonly NewEvent[];
}

/**
 * Gives a target another status: counts checks, plans the next one, combines platforms, notices stalls. The timeline has an event when phase
 * or message changed; a refusal that is not repeated counts as another phase. Pure.
 */
export function changeStatus<State extends TargetContext>(
  state: State,
  { checkBy, ...change }: StatusChange,
  timing: Timing,
  cause: Cause = {},
): StatusUpdate<State> {
  const { target, platform } = state;
  const before = target.status;
  const { phase, message, failures, notBefore } = { ...before, ...change };
  const checksInPhase = change.checksInPhase ?? (phase === before.phase ? before.checksInPhase + 1 : 1);
  const repeats = phase === 'backing_off' ? failures : checksInPhase;
  const nextCheckAt = change.nextCheckAt ?? earlier(nextCheckOf(phase, repeats, notBefore, timing), checkBy);
  const own = { ...before, refusable: false, approval: null, ...change, checksInPhase, nextCheckAt };
  const { desiredVersion } = before;
  // Each platform may have a pin of its own; the target shows the newest, which the push has noted.
  const combined =
    platform === null
      ? own
      : { ...withPlatformStatus(own, platform, own), desiredVersion: desiredVersion ?? own.desiredVersion };
  const shown = { phase: combined.phase, paused: target.paused };
  const { hasStalled, stallsAt, ...progress } = progressOf(before, shown, timing.now, timing.stalledAfterMs);
  const status = { ...combined, ...progress, nextCheckAt: earlier(combined.nextCheckAt, stallsAt) };
  const after = {
    ...state,
    target: { ...target, status: { ...own, ...progress, platformStatuses: status.platformStatuses } },
  };
  const timeline = hasStalled ? [stalled(state, status)] : [];
  if (phase !== before.phase || message !== before.message) {
    const kind = phase === before.phase && cause.isRepeated !== false ? 'observed' : `phase_${phase}`;
    timeline.push(eventOf(state, versionShown(own), kind, message, { from: before.phase, to: phase, ...cause }));
  }
  return { state: after, status, timeline };
}

/** When a target in this phase is checked again. */
export const nextCheckOf = (phase: Phase, repeats: number, notBefore: Date | null, timing: Timing): Date | null =>
  nextCheck(phase, repeats, timing.now, notBefore, timing.random, timing.reviewMs);

const earlier = (one: Date | null, other: Date | undefined): Date | null =>
  one !== null && other !== undefined && other < one ? other : one;

function stalled(
  { target: { extensionId, id }, store: { title } }: TargetContext,
  { desiredVersion, waitingSince, message }: TargetStatus,
): NewEvent {
  const what = desiredVersion === null ? 'The target' : `Version ${desiredVersion}`;
  const since = `has made no progress since ${waitingSince?.toISOString()}`;
  return {
    extensionId,
    targetId: id,
    version: desiredVersion,
    kind: 'stalled',
    message: `${title}: ${what} ${since}. ${message}`,
    data: { since: waitingSince },
  };
}

/** The version that an event is about: the pinned one, but of a live target the one that is live. */
function versionShown({ phase, desiredVersion, liveVersion }: TargetStatus): string | null {
  const isPinned =
    desiredVersion === null || liveVersion === null || compareVersions(liveVersion, desiredVersion) === 0;
  return phase === 'live' && !isPinned ? liveVersion : desiredVersion;
}

/** Whether the target still shows a refusal, while the step that the store is asked for now would mean another phase. */
export function isRefused(state: Assessment, phase: TargetStatus['phase']): boolean {
  const { step } = state.plan;
  return isCalling(step) && keepsRefusal(releaseOf(step, state)?.refusal ?? null, state.target.status.phase, phase);
}

/** The check that led to a step has been counted. */
export const checksAfterStep = ({ checksInPhase, phase: shown }: TargetStatus, phase: TargetStatus['phase']): number =>
  phase === shown ? checksInPhase : 1;
