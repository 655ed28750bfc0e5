import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '../../common/system/index.js';
import type { Phase } from '../../targets/index.js';

interface Pace {
  readonly firstMs: number;
  readonly growth: number;
  readonly maxMs: number;
}

const AT_WORK: Pace = { firstMs: 2 * SECOND_MS, growth: 1.5, maxMs: 30 * SECOND_MS };
/** Reviews take hours to days, so the first checks may be far apart; later ones are six times as far. */
const reviewPace = (firstMs: number): Pace => ({ firstMs, growth: 1.25, maxMs: 6 * firstMs });
const IN_REVIEW: Pace = reviewPace(10 * MINUTE_MS);
const RELEASING: Pace = { firstMs: MINUTE_MS, growth: 1.5, maxMs: HOUR_MS };
const FAILING: Pace = { firstMs: 30 * SECOND_MS, growth: 2, maxMs: 6 * HOUR_MS };
const DAILY: Pace = { firstMs: DAY_MS, growth: 1, maxMs: DAY_MS };

const PACES: Readonly<Record<Phase, Pace | null>> = {
  disabled: null,
  incomplete: null,
  idle: DAILY,
  queued: IN_REVIEW,
  uploading: AT_WORK,
  validating: AT_WORK,
  submitting: AT_WORK,
  in_review: IN_REVIEW,
  approved: IN_REVIEW,
  releasing: RELEASING,
  live: DAILY,
  rejected: DAILY,
  action_required: DAILY,
  backing_off: FAILING,
  taken_down: DAILY,
};

const JITTER = 0.1;

/**
 * When a target is checked again.
 * @param repeats checks in a row that found the same phase, or for `backing_off` failures in a row; 1 for the first
 * @param notBefore the time that the store itself named; never undercut
 * @param random from 0 to 1, so that many targets do not come due together
 * @param reviewMs the first pause between two checks of a review
 * @returns null for a target whose store is not asked at all
 */
export function nextCheck(
  phase: Phase,
  repeats: number,
  now: Date,
  notBefore: Date | null,
  random: number,
  reviewMs: number = IN_REVIEW.firstMs,
): Date | null {
  const usual = PACES[phase];
  const pace = usual === IN_REVIEW ? reviewPace(reviewMs) : usual;
  if (pace === null) return null;
  // Beyond this many repeats every pace has reached its end, and the power would overflow.
  const grown = pace.firstMs * pace.growth ** Math.min(Math.max(repeats, 1) - 1, 64);
  const spread = 1 + JITTER * (2 * random - 1);
  const usualAt = now.getTime() + Math.min(grown, pace.maxMs) * spread;
  return new Date(Math.max(usualAt, notBefore?.getTime() ?? 0));
}
