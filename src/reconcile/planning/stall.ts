import type { Phase } from '../../targets/index.js';

/** In these phases something is on its way, and no person has been asked for anything. */
const UNDER_WAY: ReadonlySet<Phase> = new Set([
  'queued',
  'uploading',
  'validating',
  'submitting',
  'releasing',
  'backing_off',
]);

/** How long a target has been under way. */
export interface Progress {
  /** Since when it is under way; null while it rests or waits for a review or a person. */
  readonly waitingSince: Date | null;
  /** When its tenant was told that it makes no progress. */
  readonly stallToldAt: Date | null;
}

const AT_REST: Progress = { waitingSince: null, stallToldAt: null };

/**
 * What a look makes of a target's progress. A step forth and back between two phases under way is none. Pure.
 * @returns besides, whether to tell that the target has stalled, and when that would be told
 */
export function progressOf(
  before: Progress,
  { phase, paused }: { readonly phase: Phase; readonly paused: boolean },
  now: Date,
  stalledAfterMs: number,
): Progress & { readonly hasStalled: boolean; readonly stallsAt: Date | undefined } {
  if (!UNDER_WAY.has(phase) || paused) return { ...AT_REST, hasStalled: false, stallsAt: undefined };
  const waitingSince = before.waitingSince ?? now;
  const stallsAt = new Date(waitingSince.getTime() + stalledAfterMs);
  if (before.stallToldAt !== null) return { ...before, waitingSince, hasStalled: false, stallsAt: undefined };
  const hasStalled = stallsAt <= now;
  return hasStalled
    ? { waitingSince, stallToldAt: now, hasStalled, stallsAt: undefined }
    : { waitingSince, stallToldAt: null, hasStalled, stallsAt };
}
