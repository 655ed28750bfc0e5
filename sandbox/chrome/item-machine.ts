import { badRequest, errorInfo, googleRefusal, inReview, packageRefusal } from './errors.js';
import {
  counted,
  type Item,
  isClosed,
  type PublishedState,
  publishedState,
  type StoredPackage,
  type SubmittedState,
} from './item.js';
import type { PublishRequest } from './requests.js';
import { closeSubmission, goLive, publishSubmission } from './review.js';
import { compareVersions } from '../versions.js';

/** The result of `upload`. */
export interface UploadOutcome {
  readonly item: Item;
  readonly finished: boolean;
}

/** The result of `publish`. */
export interface PublishOutcome {
  readonly item: Item;
  readonly state: SubmittedState | PublishedState;
}

/** A package that was read, before it becomes the draft. */
export interface ReceivedPackage extends StoredPackage {
  readonly fileName: string | null;
  /** How its author signed it; null for a zip. */
  readonly signature: 'of_item' | 'of_other_key' | null;
}

/** Makes a package the new draft, at once or later, or throws the store's error (src/stores/README.md#chrome-rules). */
export function upload(item: Item, received: ReceivedPackage, now: Date): UploadOutcome {
  assertOpen(item);
  if (item.verifiedCrx && received.signature === null) {
    throw packageRefusal(
      'PKG_MUST_UPDATE_AS_CRX',
      'The item must be updated with a CRX file signed by its verified key.',
    );
  }
  // The real store's words for another key are not known.
  if (item.verifiedCrx && received.signature === 'of_other_key')
    throw packageRefusal('PKG_INVALID_CRX_SIGNATURE', 'The CRX file is not signed by the verified key of the item.');
  assertNewer(item, received.version);
  const { version, sha256, size, fileName } = received;
  const stored: StoredPackage = { version, sha256, size };
  const taken = counted({ ...item, lastUpload: { ...stored, fileName, at: now } }, 'uploads');
  if (item.asyncUploadPolls === null) return { item: { ...taken, draft: stored }, finished: true };
  const asyncUpload = {
    state: 'IN_PROGRESS',
    startedAt: now,
    pollsLeft: item.asyncUploadPolls,
    package: stored,
  } as const;
  return { item: { ...taken, asyncUpload }, finished: false };
}

/** Refuses a change while a revision is in review or staged (src/stores/README.md#chrome-rules). */
export function assertOpen(item: Item): void {
  if (item.closedFor !== null) throw inReview(item.closedFor);
  if (isClosed(item)) throw inReview();
}

/** Counts a fetchStatus call for an upload that is being processed (src/stores/README.md#chrome-upload). */
export function passUploadPoll(item: Item): Item {
  const { asyncUpload } = item;
  if (asyncUpload?.state !== 'IN_PROGRESS') return item;
  if (asyncUpload.pollsLeft > 0) {
    return { ...item, asyncUpload: { ...asyncUpload, pollsLeft: asyncUpload.pollsLeft - 1 } };
  }
  const state = item.asyncUploadOutcome;
  const draft = state === 'FAILED' ? item.draft : asyncUpload.package;
  return { ...item, asyncUpload: { ...asyncUpload, state }, draft };
}

/**
 * Sends the draft to review, publishes it, or releases what is staged; or throws the store's error
 * (src/stores/README.md#chrome-publish).
 */
export function publish(item: Item, request: PublishRequest, now: Date): PublishOutcome {
  if (item.submitted?.state === 'STAGED') {
    const released = counted(publishSubmission(item, now, request.deployPercentage), 'publishes', 'releases');
    return { item: released, state: publishedState(released) };
  }
  const draft = publishableDraft(item);
  assertNewer(item, draft.version);
  assertPublishable(item, request);
  const deployPercentage = request.deployPercentage ?? item.dashboardDeployPercentage;
  const accepted = counted({ ...item, draft: null }, 'publishes');
  if (request.skipReview && request.publishType === 'DEFAULT_PUBLISH') {
    return { item: goLive(accepted, draft, deployPercentage, now), state: publishedState(item) };
  }
  const state = request.skipReview ? 'STAGED' : 'PENDING_REVIEW';
  const { publishType } = request;
  const submitted = { package: draft, state, publishType, deployPercentage, submittedAt: now, polls: 0 } as const;
  const pending = { ...accepted, submitted };
  return { item: request.skipReview ? pending : counted(pending, 'submissions'), state };
}

/** Withdraws the open submission (src/stores/README.md#chrome-cancel); with none there is nothing to cancel (inferred). */
export function cancelSubmission(item: Item): Item {
  if (!isClosed(item)) {
    throw googleRefusal('FAILED_PRECONDITION', 'The item has no active submission to cancel.');
  }
  return counted(closeSubmission(item, 'CANCELLED'), 'cancels');
}

function publishableDraft(item: Item): StoredPackage {
  assertOpen(item);
  if (item.asyncUpload?.state === 'IN_PROGRESS') {
    throw googleRefusal('FAILED_PRECONDITION', 'The item cannot be published while its package is being processed.');
  }
  if (item.publishCondition !== null) {
    throw googleRefusal('FAILED_PRECONDITION', `Publish condition not met: ${item.publishCondition}`);
  }
  if (!item.draft) {
    throw googleRefusal('FAILED_PRECONDITION', 'Publish condition not met: there is no draft to publish.');
  }
  return item.draft;
}

function assertPublishable(item: Item, request: PublishRequest): void {
  if (request.skipReview) assertMaySkipReview(item);
  if (request.blockOnWarnings && item.warnings.length > 0) {
    const violations = item.warnings.map(({ reason, description }) => ({ field: 'item', description, reason }));
    throw googleRefusal('FAILED_PRECONDITION', 'The item has warnings and blockOnWarnings is set.', [
      errorInfo('BLOCKED_BY_WARNINGS', 'chromewebstore.googleapis.com'),
      badRequest(violations),
    ]);
  }
}

/** Skipping review is for qualifying updates of a published item in good standing (src/stores/README.md#chrome-publish). */
function assertMaySkipReview(item: Item): void {
  if (item.skipReviewQualifies && item.published && !item.warned && !item.takenDown) return;
  throw googleRefusal('INVALID_ARGUMENT', 'The item does not qualify to skip review.', [
    badRequest([{ field: 'skip_review', description: 'This item requires review.' }]),
  ]);
}

/** A version must be strictly greater than the published one (src/stores/README.md#chrome-rules). */
function assertNewer(item: Item, version: string): void {
  const live = item.published?.package.version;
  if (live === undefined || compareVersions(version, live) > 0) return;
  throw packageRefusal(
    'PKG_INVALID_VERSION_NUMBER',
    `Invalid version number in manifest: ${version}. Please make sure the newly uploaded package has a larger version ` +
      `in file manifest.json than the published package: ${live}.`,
  );
}
