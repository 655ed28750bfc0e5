import { HOUR_MS } from '../../common/system/index.js';
import type { TargetStatus } from './target-status.entity.js';

export const TARGET_HEALTHS = ['ok', 'failing', 'stalled', 'overdue'] as const;

/** Whether a target gets on, apart from what its phase says. */
export interface TargetHealthState {
  readonly state: (typeof TARGET_HEALTHS)[number];
  /** Since when; null for `ok`, and where it is not known. */
  readonly at: Date | null;
}

/** Single failures are common, and mended by the next check. */
const FAILURES_IN_A_ROW = 3;
/** The service asks stores in turns; only what is this late is not asked at all. */
const OVERDUE_MS = HOUR_MS;

/** The health of a target, worst first. Pure. */
export function targetHealthOf(
  {
    nextCheckAt,
    failures,
    stallNotifiedAt,
    waitingSince,
    phaseSince,
  }: Pick<TargetStatus, 'nextCheckAt' | 'failures' | 'stallNotifiedAt' | 'waitingSince' | 'phaseSince'>,
  now: Date,
): TargetHealthState {
  if (nextCheckAt !== null && now.getTime() - nextCheckAt.getTime() > OVERDUE_MS)
    return { state: 'overdue', at: nextCheckAt };
  if (failures >= FAILURES_IN_A_ROW) return { state: 'failing', at: phaseSince };
  return stallNotifiedAt === null ? { state: 'ok', at: null } : { state: 'stalled', at: waitingSince };
}
