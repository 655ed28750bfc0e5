import type { Target } from './targets.js';

/** Goal that a version has to reach before waiting for it ends. */
export const GOALS = ['submitted', 'approved', 'live'] as const;
export type Goal = (typeof GOALS)[number];

type Phase = Target['status']['phase'];

/** Progress of a version at a target, for somebody who waits for it. */
export type WaitResult = 'waiting' | 'reached' | 'rejected' | 'needsPerson' | 'replaced';

/** Goal of the wait. */
export interface Wanted {
  readonly version: string;
  readonly goal: Goal;
}

/** The phases in which a version has come as far as a goal. */
const REACHED: Readonly<Record<Goal, readonly Phase[]>> = {
  submitted: ['in_review', 'approved', 'releasing', 'live'],
  approved: ['approved', 'releasing', 'live'],
  live: ['live'],
};

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
export function waitResultOf(
  { enabled, paused, release, updatedAt, status }: Target,
  { version, goal }: Wanted,
): WaitResult {
  const { phase, liveVersion, submittedVersion, desiredVersion, checkedAt } = status;
  if (!enabled || phase === 'incomplete') return 'needsPerson';
  if (!isSameVersion(desiredVersion, version)) return 'replaced';
  const held = phase === 'live' ? liveVersion : (submittedVersion ?? desiredVersion);
  if (REACHED[goal].includes(phase) && isSameVersion(held, version)) return 'reached';
  if (paused) return 'needsPerson';
  const isAsked = checkedAt !== null && Date.parse(checkedAt) >= Date.parse(updatedAt);
  if (!isAsked) return 'waiting';
  if (phase === 'rejected' || phase === 'taken_down') return 'rejected';
  if (phase === 'action_required') return 'needsPerson';
  return phase === 'approved' && release === 'manual' ? 'needsPerson' : 'waiting';
}
