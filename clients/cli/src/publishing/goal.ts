import { isLive } from './display.js';
import type { Target } from './targets.js';

/** Goal that a version has to reach before waiting for it ends. */
export const GOALS = ['submitted', 'approved', 'live'] as const;
export type Goal = (typeof GOALS)[number];

/** Progress of a version at a target, for somebody who waits for it. */
export type WaitResult = 'waiting' | 'reached' | 'rejected' | 'needsPerson' | 'replaced';

/** Goal of the wait. */
export interface Wanted {
  readonly version: string;
  readonly goal: Goal;
}

/** The stages of `display` that a version has passed when it has come as far as a goal. */
const STAGES_UNTIL: Readonly<Record<Goal, number>> = { submitted: 3, approved: 4, live: 5 };

/** Whether two numbers are one version to the stores, as 1.0 and 1.0.0 are. */
export function isSameVersion(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const parts = (version: string): string =>
    version
      .split('.')
      .map(Number)
      .join('.')
      .replace(/(\.0)+$/, '');
  return parts(one) === parts(other);
}

/** Reads the result from a target's status; checks older than its last change, such as a pin, do not count. Pure. */
export function waitResultOf(target: Target, { version, goal }: Wanted): WaitResult {
  const { enabled, paused, updatedAt, status, display } = target;
  const { missing, liveVersion, submittedVersion, desiredVersion, checkedAt } = status;
  if (!enabled || missing.length > 0) return 'needsPerson';
  if (!isSameVersion(desiredVersion, version)) return 'replaced';
  const shown = isLive(target) ? liveVersion : (submittedVersion ?? desiredVersion);
  const isRefused = display.tone === 'rejected';
  if (!isRefused && display.progress >= STAGES_UNTIL[goal] && isSameVersion(shown, version)) return 'reached';
  if (paused) return 'needsPerson';
  const isAsked = checkedAt !== null && Date.parse(checkedAt) >= Date.parse(updatedAt);
  if (!isAsked) return 'waiting';
  // A colleague may approve it any time, and a rejection by one is no store's.
  if (status.approval) return status.approval === 'waiting' ? 'waiting' : 'needsPerson';
  if (isRefused) return 'rejected';
  return display.turn === 'you' ? 'needsPerson' : 'waiting';
}
