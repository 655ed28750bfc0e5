import type { PinnedArtifact } from '../artifacts/index.js';
import type { Observed, Store, StoreItem } from '../stores/index.js';
import { compareVersions } from '../common/version/version.js';
import type { KnownTarget, LeasedTarget } from '../targets/index.js';
import { plan, type Plan } from './planner.js';
import type { ReleaseEntity } from './release.entity.js';
import { hasEnded } from './release-state.js';

/** Everything that is known of a target before its store is asked. */
export interface Knowledge<T extends KnownTarget = LeasedTarget> {
  readonly target: T;
  readonly store: Store;
  readonly pinned: PinnedArtifact | null;
  readonly releases: readonly ReleaseEntity[];
  /** The pinned version's release, once it has set out. */
  readonly release: ReleaseEntity | null;
}

/** A look at the store, and what follows from it. */
export interface Look<T extends KnownTarget = LeasedTarget> extends Knowledge<T> {
  readonly observed: Observed;
  readonly plan: Plan;
}

/** The item that a target stands for, with the ids that the store handed out for the release under way. */
export function itemOf({ target, release }: Pick<Knowledge<KnownTarget>, 'target' | 'release'>): StoreItem {
  if (target.storeItemId === null) throw new Error('Only a complete target is worked on');
  const { storeItemId, crxId, platforms } = target;
  return { storeItemId, crxId, platforms, channel: null, handles: release?.handles ?? {} };
}

/** Decides about a target by what its store has just said. Pure. */
export function decide(knowledge: Knowledge<KnownTarget>, observed: Observed, now: Date): Plan {
  const { target, store, pinned, releases, release } = knowledge;
  const pending = observed.submission.known ? observed.submission.value : null;
  const sent = releases.find(
    ({ version, isOurs }) => isOurs && pending !== null && compareVersions(version, pending.version) === 0,
  );
  // What ended and is at the store again was sent again by a person.
  const pendingIsOurs = sent !== undefined && !hasEnded(sent.state);
  return plan(
    pinned?.storeVersion ?? null,
    observed,
    release === null
      ? null
      : { state: release.state, since: release.stateAt, isOurs: release.isOurs, verdictBefore: release.verdictBefore },
    { capabilities: store.capabilities, onPending: target.onPending, pendingIsOurs, lastLive: target.liveVersion, now },
  );
}

/** The versions to show for a target: what the store said, and where it said nothing, what was known before. */
export function versionsOf(
  target: KnownTarget,
  { live, submission }: Observed,
): { liveVersion: string | null; submittedVersion: string | null } {
  const held = submission.known ? submission.value : null;
  const isPending = held !== null && held.state !== 'rejected' && held.state !== 'cancelled';
  return {
    liveVersion: live.known ? live.value : target.liveVersion,
    submittedVersion: submission.known ? (isPending ? held.version : null) : target.submittedVersion,
  };
}
