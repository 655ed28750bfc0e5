import type { Store } from '../stores/index.js';
import { displayOf } from './status/display.js';
import { missingOf, TARGET_REQUESTS, type Display } from './status/phase.js';
import { platformStatusesInOrder } from './status/platform-status.js';
import { targetHealthOf } from './status/target-health.js';
import { rolloutOf } from './status/rollout.js';
import type { TargetWithStatus } from './status/target-status.entity.js';
import { pagesAt } from './store-links.service.js';
import { channelOrNull } from './target-channel.js';
import { requestRefusal } from './target-requests.js';
import type { Target } from './targets.dto.js';

/** A target, its users as its store last counted them, and how long its reviews take. */
type CountedTarget = TargetWithStatus & Pick<Target, 'users' | 'usualReview'>;

/** A target as its tenant sees it. Pure. */
export function toTarget(row: CountedTarget, store: Store, now: Date): Target {
  const { listing, dashboard, privacy } = pagesAt(store, row);
  const { status } = row;
  return {
    id: row.id,
    extensionId: row.extensionId,
    store: row.store,
    storeItemId: row.storeItemId,
    crxId: row.crxId,
    credentialId: row.credentialId,
    enabled: row.enabled,
    platforms: row.platforms,
    onPending: row.onPending,
    channel: channelOrNull(row.channel),
    release: row.releaseMode,
    rolloutPercent: row.rolloutPercent,
    releaseNotes: row.releaseNotes,
    reviewerNotes: row.reviewerNotes,
    skipReview: row.skipReview,
    signedUploads: row.signedUploads,
    watched: row.watched,
    fileWatched: row.fileWatched,
    preflight: row.preflight,
    encryption: row.encryption,
    xcodeCloudWorkflow: row.xcodeCloudWorkflow,
    xcodeCloudTag: row.xcodeCloudTag,
    storefront: row.storefront,
    paused: row.paused,
    status: {
      phase: status.phase,
      phaseSince: status.phaseSince,
      desiredVersion: status.desiredVersion,
      liveVersion: status.liveVersion,
      offeredPercent: status.offeredPercent,
      submittedVersion: status.submittedVersion,
      message: status.message,
      approval: status.approval,
      missing: missingOf(row),
      checkedAt: status.checkedAt,
      nextCheckAt: status.nextCheckAt,
      failures: status.failures,
      platforms: platformsOf(row),
    },
    users: row.users,
    usualReview: row.usualReview,
    rollout: rolloutOf({ ...row, ...status }, store),
    health: targetHealthOf(status, now),
    display: displayOfTarget(row),
    accepts: TARGET_REQUESTS.filter((request) => requestRefusal(request, row, store) === null),
    listing,
    dashboard,
    privacyPage: privacy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const platformsOf = ({ platforms, status }: TargetWithStatus): Target['status']['platforms'] =>
  platformStatusesInOrder(platforms, status).map(([platform, { phase, liveVersion, submittedVersion, message }]) => ({
    platform,
    phase,
    liveVersion,
    submittedVersion,
    message,
  }));

/** Returns the view of a target. Pure. */
const displayOfTarget = ({ paused, releaseMode, status }: TargetWithStatus): Display =>
  displayOf({
    phase: status.phase,
    paused,
    isReleasedByHand: releaseMode === 'manual',
    approval: status.approval,
    isReleaseRequested: status.releaseRequested !== null && status.releaseRequested === status.desiredVersion,
  });
