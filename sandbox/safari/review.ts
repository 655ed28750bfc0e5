import { randomUUID } from 'node:crypto';
import type { Associated } from './errors.js';
import { conflict } from './errors.js';
import {
  type App,
  EDITABLE,
  OPEN_REVIEW,
  type Platform,
  RELEASED,
  type ReviewItem,
  type ReviewSubmission,
  type Version,
} from './model.js';
import type { SafariWorld } from './world.js';

const DAY_MS = 86_400_000;
const PHASED_DAYS = 7;

/** The app versions in a review submission. */
export function versionsIn(world: SafariWorld, review: ReviewSubmission): Version[] {
  return review.items
    .filter(({ state }) => state !== 'REMOVED')
    .flatMap(({ versionId }) => (versionId === null ? [] : (world.version(versionId) ?? [])));
}

/** Creates a review submission; an unsent one must be used first (src/stores/README.md#safari-rules). */
export function openReview(world: SafariWorld, app: App, platform: Platform): ReviewSubmission {
  const other = world
    .reviewsOf(app.appId, platform)
    .find(
      (review) => OPEN_REVIEW.includes(review.state) && (review.state === 'READY_FOR_REVIEW' || holdsVersion(review)),
    );
  if (other)
    throw conflict(
      'STATE_ERROR',
      `There is another reviewSubmissions with id ${other.id} still in progress for this platform.`,
    );
  app.counters.reviewsCreated += 1;
  return world.addReview(app, platform);
}

const holdsVersion = ({ items }: ReviewSubmission): boolean =>
  items.some(({ versionId, state }) => versionId !== null && state !== 'REMOVED');

/**
 * Adds a version with all that a review needs
 * (src/stores/README.md#safari-rules).
 */
export function addToReview(world: SafariWorld, app: App, review: ReviewSubmission, version: Version): ReviewItem {
  if (review.items.some(({ versionId, state }) => versionId === version.id && state !== 'REMOVED'))
    throw conflict(
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      `appStoreVersions with id '${version.id}' was already added to this reviewSubmission.`,
    );
  if (review.state !== 'READY_FOR_REVIEW' || review.platform !== version.platform)
    throw conflict(
      'STATE_ERROR.ENTITY_STATE_INVALID',
      'The reviewSubmission is not open to new items in the current state.',
    );
  if (!EDITABLE.includes(version.state) || version.state === 'READY_FOR_REVIEW')
    throw conflict(
      'STATE_ERROR.ENTITY_STATE_INVALID',
      `appStoreVersions with id '${version.id}' is not in valid state.`,
    );
  assertComplete(world, app, version);
  const item: ReviewItem = { id: randomUUID(), versionId: version.id, state: 'READY_FOR_REVIEW' };
  review.items.push(item);
  version.state = 'READY_FOR_REVIEW';
  return item;
}

function assertComplete(world: SafariWorld, app: App, version: Version): void {
  const build = version.buildId === null ? undefined : world.build(version.buildId);
  const attachedAt = version.buildAttachedAt?.getTime() ?? 0;
  if (build && world.clock.now().getTime() < attachedAt + app.readySeconds * 1000)
    throw conflict('STATE_ERROR', 'Version is not ready to be submitted yet, please try again later.');
  const path = `/v1/appStoreVersions/${version.id}`;
  const isUpdate = world.versionsOf(app.appId, version.platform).some(({ state }) => RELEASED.includes(state));
  const missing: (Associated | false)[] = [
    !build && required(path, 'build'),
    ...version.localizations.map(
      ({ id, whatsNew }) =>
        isUpdate && (whatsNew ?? '') === '' && required(`/v1/appStoreVersionLocalizations/${id}`, 'whatsNew'),
    ),
    app.lacking !== null && required(path, app.lacking),
    ...app.blockers.map((blocker) => ({ path, ...blocker })),
  ];
  const associated = missing.filter((one) => one !== false);
  if (associated.length > 0)
    throw conflict(
      'STATE_ERROR.ENTITY_STATE_INVALID',
      'This resource cannot be reviewed, please check associated errors to see why.',
      associated,
    );
}

function required(path: string, attribute: string): Associated {
  return {
    path,
    code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
    detail: `You must provide a value for the attribute '${attribute}' with this request`,
  };
}

/** Marks the issue of a rejected item as resolved. */
export function resolveItem(review: ReviewSubmission, item: ReviewItem): void {
  if (review.state !== 'UNRESOLVED_ISSUES' || item.state !== 'REJECTED')
    throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The item has no issue to be resolved in the current state.');
  item.state = 'READY_FOR_REVIEW';
}

/** Submits a review submission. */
export function submitReview(world: SafariWorld, app: App, review: ReviewSubmission): void {
  const isOpen = review.state === 'READY_FOR_REVIEW' || review.state === 'UNRESOLVED_ISSUES';
  if (!isOpen || review.items.some(({ state }) => state === 'REJECTED'))
    throw conflict(
      'STATE_ERROR.ENTITY_STATE_INVALID',
      'The reviewSubmission cannot be submitted in the current state.',
    );
  const versions = versionsIn(world, review);
  if (review.items.every(({ state }) => state === 'REMOVED'))
    throw conflict('ENTITY_ERROR.RELATIONSHIP.REQUIRED', 'A reviewSubmission needs at least one item.');
  const inReview = world
    .reviewsOf(app.appId, review.platform)
    .some((other) => other.id !== review.id && /^(WAITING_FOR|IN)_REVIEW$/.test(other.state) && holdsVersion(other));
  if (versions.length > 0 && inReview)
    throw conflict('STATE_ERROR', 'Another version of this platform is still in progress of review.');
  // A version whose export question is open is accepted and then parked (src/stores/README.md#safari-rules).
  for (const version of versions) {
    assertComplete(world, app, version);
    const build = version.buildId === null ? undefined : world.build(version.buildId);
    version.state = build?.usesNonExemptEncryption === null ? 'WAITING_FOR_EXPORT_COMPLIANCE' : 'WAITING_FOR_REVIEW';
  }
  review.state = 'WAITING_FOR_REVIEW';
  review.submittedAt = world.clock.now();
  app.counters.submissions += 1;
}

/** Starts to withdraw a review submission. */
export function cancelReview(world: SafariWorld, app: App, review: ReviewSubmission): void {
  if (!/^(WAITING_FOR_REVIEW|IN_REVIEW|UNRESOLVED_ISSUES)$/.test(review.state))
    throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The reviewSubmission cannot be canceled in the current state.');
  review.state = 'CANCELING';
  review.cancelledAt = new Date(world.clock.now().getTime() + app.cancelSeconds * 1000);
  app.counters.cancels += 1;
}

/** Approves a submission: a version with manual release waits, any other goes live (src/stores/README.md#safari-states). */
export function approve(world: SafariWorld, app: App, review: ReviewSubmission, now: Date): void {
  review.state = 'COMPLETE';
  for (const item of review.items) if (item.state !== 'REMOVED') item.state = 'APPROVED';
  for (const version of versionsIn(world, review)) {
    if (version.releaseType === 'AFTER_APPROVAL') distribute(world, app, version, now);
    else version.state = 'PENDING_DEVELOPER_RELEASE';
  }
}

/** Rejects a submission. Only the Resolution Center explains it. */
export function reject(world: SafariWorld, review: ReviewSubmission): void {
  review.state = 'UNRESOLVED_ISSUES';
  for (const item of review.items) if (item.state !== 'REMOVED') item.state = 'REJECTED';
  for (const version of versionsIn(world, review)) version.state = 'REJECTED';
}

/** Completes a withdrawal. */
export function withdraw(world: SafariWorld, review: ReviewSubmission): void {
  review.state = 'COMPLETE';
  for (const version of versionsIn(world, review)) version.state = 'DEVELOPER_REJECTED';
  for (const item of review.items) item.state = 'REMOVED';
}

/** Starts to publish a version. */
export function distribute(world: SafariWorld, app: App, version: Version, now: Date): void {
  version.state = 'PROCESSING_FOR_DISTRIBUTION';
  version.distributedAt = new Date(now.getTime() + app.releaseSeconds * 1000);
  goLiveWhenDue(world, version, now);
}

/** Publishes a version in place of the live one. */
export function goLive(world: SafariWorld, version: Version, now: Date): void {
  for (const other of world.versionsOf(version.appId, version.platform))
    if (other.state === 'READY_FOR_DISTRIBUTION') other.state = 'REPLACED_WITH_NEW_VERSION';
  version.state = 'READY_FOR_DISTRIBUTION';
  if (version.phased?.state === 'INACTIVE') Object.assign(version.phased, { state: 'ACTIVE', startedAt: now });
}

function goLiveWhenDue(world: SafariWorld, version: Version, now: Date): void {
  if (version.state !== 'PROCESSING_FOR_DISTRIBUTION') return;
  if (now.getTime() >= (version.distributedAt?.getTime() ?? 0)) goLive(world, version, now);
}

/** The day of a phased release, from 1; 0 before it has started. */
export function phasedDay({ phased }: Version, now: Date): number {
  if (!phased?.startedAt) return 0;
  return Math.floor((now.getTime() - phased.startedAt.getTime()) / DAY_MS) + 1;
}

/** Applies every change that is due. */
export function applyDue(world: SafariWorld, app: App, now: Date): void {
  for (const review of world.reviewsOf(app.appId)) {
    if (review.state === 'CANCELING' && isReached(review.cancelledAt, 0, now)) withdraw(world, review);
    const { approveAfterSeconds } = app;
    const isDue = approveAfterSeconds !== null && isReached(review.submittedAt, approveAfterSeconds, now);
    if (review.state === 'WAITING_FOR_REVIEW' && isDue) approve(world, app, review, now);
  }
  for (const version of world.versionsOf(app.appId)) {
    goLiveWhenDue(world, version, now);
    if (version.phased?.state === 'ACTIVE' && phasedDay(version, now) > PHASED_DAYS) version.phased.state = 'COMPLETE';
  }
}

function isReached(since: Date | null, seconds: number, now: Date): boolean {
  return now.getTime() >= (since?.getTime() ?? 0) + seconds * 1000;
}
