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
export function withoutOverwriting(now: KnownTarget, seen: KnownTarget, next: TargetStatus): Partial<TargetStatus> {
  if (isUnchanged(now, seen)) return next;
  const { checkedAt, notBefore, liveVersion, submittedVersion, releaseRequested } = next;
  return {
    checkedAt,
    notBefore,
    ...(isSamePlace(now, seen) ? { liveVersion, submittedVersion } : {}),
    ...(now.status.releaseRequested === seen.status.releaseRequested ? { releaseRequested } : {}),
  };
}
