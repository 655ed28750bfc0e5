import { PHASE_FACTS, type Phase } from '../../targets/pure.js';

/** Facts about the time for which a target has been under way. */
export interface Progress {
  /** Since when it is under way; null while it rests or waits for a review or a person. */
  readonly waitingSince: Date | null;
  /** When the tenant was notified that it makes no progress. */
  readonly stallNotifiedAt: Date | null;
}

const AT_REST: Progress = { waitingSince: null, stallNotifiedAt: null };

/**
 * Whether a check is progress for a target. Moving back and forth between two phases under way is not. Pure.
 * @returns also whether the target has stalled now, and otherwise when it would
 */
export function progressOf(
  before: Progress,
  { phase, paused }: { readonly phase: Phase; readonly paused: boolean },
  now: Date,
  stalledAfterMs: number,
): Progress & { readonly hasStalled: boolean; readonly stallsAt: Date | undefined } {
  if (!PHASE_FACTS[phase].stalls || paused) return { ...AT_REST, hasStalled: false, stallsAt: undefined };
  const { stallNotifiedAt } = before;
  const waitingSince = before.waitingSince ?? now;
  // The caller merges the result into a status, so no other field of `before` may be returned.
  if (stallNotifiedAt !== null) return { waitingSince, stallNotifiedAt, hasStalled: false, stallsAt: undefined };
  const stallsAt = new Date(waitingSince.getTime() + stalledAfterMs);
  const hasStalled = stallsAt <= now;
  return hasStalled
    ? { waitingSince, stallNotifiedAt: now, hasStalled, stallsAt: undefined }
    : { waitingSince, stallNotifiedAt: null, hasStalled, stallsAt };
}
