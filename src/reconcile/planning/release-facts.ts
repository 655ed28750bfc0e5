import type { PinnedArtifact } from '../../artifacts/index.js';
import { compareVersions, knownOr, type Observed } from '../../stores/pure.js';
import type { TargetWithStatus } from '../../targets/index.js';
import { type ReleaseEntity, type ReleaseState, hasFailed } from '../releases/pure.js';
import { isStoreLagging } from './situation.js';

const ON_THE_WAY: ReadonlySet<ReleaseState> = new Set(['queued', 'uploading', 'processing', 'submitting']);
const AT_THE_STORE: ReadonlySet<ReleaseState> = new Set(['in_review', 'approved', 'releasing', 'live']);

/**
 * The release of a pinned version: the newest one of it, unless it was superseded, or failed before the target was enabled again or other content
 * was pushed. A store takes another signed package of a version also after it has rejected or a person has withdrawn it. Pure.
 * @returns null when the version has not set out yet
 */
export function currentRelease(
  releases: readonly ReleaseEntity[],
  { enabledAt }: Pick<TargetWithStatus, 'enabledAt'>,
  { id, storeVersion, replacedAt, platform }: Pick<PinnedArtifact, 'id' | 'storeVersion' | 'replacedAt' | 'platform'>,
): ReleaseEntity | null {
  const newest = releases.find(({ version }) => compareVersions(version, storeVersion) === 0);
  if (newest === undefined || newest.state === 'superseded') return null;
  const isFromBefore = enabledAt !== null && newest.stateAt < enabledAt;
  const isOfOtherContent =
    (newest.state === 'failed' || (platform !== '' && hasFailed(newest.state))) &&
    (newest.artifactId !== id || (replacedAt !== null && newest.stateAt < replacedAt));
  return (hasFailed(newest.state) && isFromBefore) || isOfOtherContent ? null : newest;
}

/** The verdict that the store already shows for this very version before it is submitted again. Pure. */
export function earlierVerdict({ version }: ReleaseEntity, { submission }: Observed): ReleaseEntity['earlierVerdict'] {
  const beyondLive = knownOr(submission, null);
  if (beyondLive === null || compareVersions(beyondLive.version, version) !== 0) return null;
  return beyondLive.state === 'rejected' || beyondLive.state === 'cancelled' ? beyondLive.state : null;
}

/** The state in which the store shows a release that is not the pinned one; null when it shows nothing of it. Pure. */
export function stateShown(release: ReleaseEntity, { live, submission }: Observed, now: Date): ReleaseState | null {
  const isOf = (version: string | null | undefined): boolean =>
    version != null && compareVersions(version, release.version) === 0;
  if (live.known && isOf(live.value)) return 'live';
  if (isReplaced(release, live)) return 'superseded';
  const beyondLive = knownOr(submission, null);
  if (beyondLive !== null && isOf(beyondLive.version)) {
    if (beyondLive.state === 'unknown' || isLate(release, beyondLive.state, now)) return null;
    // Only now is it known that Pierhead's own withdrawal arrived.
    return beyondLive.state === 'cancelled' && release.intent?.step === 'cancel' ? 'superseded' : beyondLive.state;
  }
  if (ON_THE_WAY.has(release.state)) return 'superseded';
  return AT_THE_STORE.has(release.state) && live.known && submission.known ? 'superseded' : null;
}

/** The releases that Pierhead sent, and that their store has taken by a transition: submitted, or further. Pure. */
export const newlyTaken = (
  before: readonly ReleaseEntity[],
  after: readonly ReleaseEntity[],
): readonly ReleaseEntity[] =>
  after.filter(
    ({ id, state, submittedByPierhead }) =>
      submittedByPierhead && AT_THE_STORE.has(state) && !isTaken(before.find((one) => one.id === id)),
  );

const isTaken = (release: ReleaseEntity | undefined): boolean =>
  release !== undefined && AT_THE_STORE.has(release.state);

/** It was live, and another version is: one is at a time, and some stores show no submission that would say the same. */
const isReplaced = ({ state }: ReleaseEntity, live: Observed['live']): boolean =>
  state === 'live' && live.known && live.value !== null;

/** The store does not show yet that it was asked to release the version. */
const isLate = ({ state, stateAt }: ReleaseEntity, shown: string, now: Date): boolean =>
  shown === 'approved' && state === 'releasing' && isStoreLagging({ since: stateAt }, now);
