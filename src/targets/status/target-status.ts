import { phaseFromSettings } from './phase.js';
import type { TargetWithStatus, TargetStatus } from './target-status.entity.js';

/** The tenant has changed nothing since the target was read: no pin, no setting, no secret. */
export const isUnchanged = (current: TargetWithStatus, before: TargetWithStatus): boolean =>
  current.status.revision === before.status.revision;

/** The target still publishes to the same place at its store. */
export const isSamePlace = (current: TargetWithStatus, before: TargetWithStatus): boolean =>
  current.storeItemId === before.storeItemId && current.crxId === before.crxId && current.channel === before.channel;

/**
 * Returns the part of a decided status that may still be written. What the tenant has changed since the target was read is kept, as that made
 * the target due at once, and versions of another place are dropped. Pure.
 */
export function withoutOverwriting(
  current: TargetWithStatus,
  before: TargetWithStatus,
  next: Partial<TargetStatus>,
): Partial<TargetStatus> {
  if (isUnchanged(current, before)) return next;
  const status = { ...current.status, ...next };
  const { checkedAt, notBefore, releaseRequested, liveVersion, fileDigest, submittedVersion } = status;
  const { offeredPercent, offeredSince, liveByPierhead } = status;
  const known = { liveVersion, fileDigest, offeredPercent, offeredSince, liveByPierhead, submittedVersion };
  return {
    checkedAt,
    notBefore,
    ...(isSamePlace(current, before) ? known : {}),
    ...(current.status.releaseRequested === before.status.releaseRequested ? { releaseRequested } : {}),
  };
}

/** Since when a target is in a phase that it has now. Pure. */
export const phaseSince = (
  before: Pick<TargetStatus, 'phase' | 'phaseSince'>,
  phase: TargetStatus['phase'],
  now: Date,
): Date => (phase === before.phase ? (before.phaseSince ?? now) : now);

/** The status of a target that the tenant has changed: the phase that follows from its settings, due at once if its store can be asked. Pure. */
export function rescheduled(target: TargetWithStatus, now: Date): TargetStatus {
  const { status } = target;
  const { phase, message, isDrivable } = phaseFromSettings({ ...target, phase: status.phase, message: status.message });
  return {
    ...status,
    revision: status.revision + 1,
    phase,
    phaseSince: phaseSince(status, phase, now),
    message,
    nextCheckAt: isDrivable ? new Date(Math.max(now.getTime(), status.notBefore?.getTime() ?? 0)) : null,
    failures: 0,
    checksInPhase: 0,
    platformStatuses: {},
    waitingSince: null,
    stallNotifiedAt: null,
  };
}
