import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '../../common/system/index.js';
import { PHASE_FACTS, type Pace, type Phase } from '../../targets/pure.js';

interface Rhythm {
  readonly firstMs: number;
  readonly growth: number;
  readonly maxMs: number;
}

/** Reviews take hours to days, so the first checks may be far apart; later ones are six times as far. */
const reviewRhythm = (firstMs: number): Rhythm => ({ firstMs, growth: 1.25, maxMs: 6 * firstMs });
const REVIEW_MS = 10 * MINUTE_MS;

/** Of all but reviews, whose rhythm is a setting. */
const RHYTHMS: Readonly<Record<Exclude<Pace, 'in_review'>, Rhythm | null>> = {
  never: null,
  at_work: { firstMs: 2 * SECOND_MS, growth: 1.5, maxMs: 30 * SECOND_MS },
  releasing: { firstMs: MINUTE_MS, growth: 1.5, maxMs: HOUR_MS },
  failing: { firstMs: 30 * SECOND_MS, growth: 2, maxMs: 6 * HOUR_MS },
  daily: { firstMs: DAY_MS, growth: 1, maxMs: DAY_MS },
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
  reviewMs: number = REVIEW_MS,
): Date | null {
  const { pace } = PHASE_FACTS[phase];
  const rhythm = pace === 'in_review' ? reviewRhythm(reviewMs) : RHYTHMS[pace];
  if (rhythm === null) return null;
  // Beyond this many repeats every rhythm has reached its end, and the power would overflow.
  const grown = rhythm.firstMs * rhythm.growth ** Math.min(Math.max(repeats, 1) - 1, 64);
  const spread = 1 + JITTER * (2 * random - 1);
  const usualAt = now.getTime() + Math.min(grown, rhythm.maxMs) * spread;
  return new Date(Math.max(usualAt, notBefore?.getTime() ?? 0));
}
