import { restingPhase } from './phase.js';
import type { KnownTarget, TargetStatus } from './target-status.entity.js';

/** The tenant has changed nothing since the target was read: no pin, no setting, no secret. */
export const isUnchanged = (now: KnownTarget, seen: KnownTarget): boolean =>
  now.status.revision === seen.status.revision;

/** The target still publishes to the same place at its store. */
export const isSamePlace = (now: KnownTarget, seen: KnownTarget): boolean =>
  now.storeItemId === seen.storeItemId && now.crxId === seen.crxId && now.channel === seen.channel;

/**
 * What to write of a status that was decided on a target as it was seen. A change that the tenant made meanwhile is not overwritten: it left
 * the target due at once. Nor are versions of another place noted. Pure.
 */
export function withoutOverwriting(
  now: KnownTarget,
  seen: KnownTarget,
  next: Partial<TargetStatus>,
): Partial<TargetStatus> {
  if (isUnchanged(now, seen)) return next;
  const { checkedAt, notBefore, liveVersion, submittedVersion, releaseRequested } = { ...now.status, ...next };
  return {
    checkedAt,
    notBefore,
    ...(isSamePlace(now, seen) ? { liveVersion, submittedVersion } : {}),
    ...(now.status.releaseRequested === seen.status.releaseRequested ? { releaseRequested } : {}),
  };
}

/** The status of a target that the tenant has changed: the phase that follows from its settings, due at once if its store can be asked. Pure. */
export function rescheduled(target: KnownTarget, now: Date): TargetStatus {
  const { status } = target;
  const { phase, message, isDrivable } = restingPhase({ ...target, phase: status.phase });
  return {
    ...status,
    revision: status.revision + 1,
    phase,
    message,
    nextCheckAt: isDrivable ? new Date(Math.max(now.getTime(), status.notBefore?.getTime() ?? 0)) : null,
    failures: 0,
    looks: 0,
    tracks: {},
    waitingSince: null,
    stallToldAt: null,
  };
}
