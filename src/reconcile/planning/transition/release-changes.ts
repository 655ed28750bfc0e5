import type { LockedTarget } from '../../../targets/index.js';
import { type ReleaseEntity, type ReleaseState, canMove } from '../../releases/pure.js';
import type { Assessment, TargetContext } from '../context.js';
import { stateShown } from '../release-facts.js';

/** Changes a release if anything differs. A move that TRANSITIONS does not allow is ignored. */
export function moveRelease<State extends TargetContext>(
  state: State,
  { id }: Pick<ReleaseEntity, 'id'>,
  to: ReleaseState | null,
  also: Partial<ReleaseEntity>,
  now: Date,
): State {
  const change = (release: ReleaseEntity): ReleaseEntity => {
    if (release.id !== id) return release;
    const moves = to !== null && to !== release.state && canMove(release.state, to);
    const isSame = Object.entries(also).every(([name, value]) => release[name as keyof ReleaseEntity] === value);
    if (!moves && isSame) return release;
    return { ...release, ...also, ...(moves ? { state: to, stateAt: now } : {}), updatedAt: now };
  };
  const { release } = state;
  return { ...state, releases: state.releases.map(change), release: release === null ? null : change(release) };
}

/** Notes what the store shows of the releases that are no longer wanted: still in review, live after all, or gone. */
export function updateOtherReleases(state: Assessment, now: Date): Assessment {
  let next = state;
  for (const release of state.releases) {
    const shown = release.id === state.release?.id ? null : stateShown(release, state.observed, now);
    if (shown !== null && shown !== release.state) next = moveRelease(next, release, shown, { intent: null }, now);
  }
  return next;
}

export function withNewRelease(
  state: Assessment,
  pinned: NonNullable<TargetContext['pinned']>,
  id: string,
  now: Date,
): Assessment {
  const { target, platform } = state;
  const release: ReleaseEntity = {
    id,
    createdAt: now,
    updatedAt: now,
    extensionId: target.extensionId,
    targetId: target.id,
    storeItemId: target.storeItemId ?? '',
    channel: target.channel,
    platform,
    artifactId: pinned.id,
    version: pinned.storeVersion,
    state: 'queued',
    stateAt: now,
    submittedByPierhead: false,
    earlierVerdict: null,
    handles: {},
    intent: null,
    rollout: null,
    refusal: null,
    remindedAt: null,
  };
  return { ...state, release, releases: [release, ...state.releases] };
}

export const releaseIn = ({ releases }: TargetContext, { id }: ReleaseEntity): ReleaseEntity => {
  const release = releases.find((one) => one.id === id);
  if (release === undefined) throw new Error('A release that is acted on is among those that were loaded');
  return release;
};

/** A request to publish a version is for one submission of it. */
export function withoutRequest<State extends TargetContext>(state: State, { version }: ReleaseEntity): State {
  const { target } = state;
  if (target.status.releaseRequested !== version) return state;
  const status: LockedTarget['status'] = { ...target.status, releaseRequested: null };
  return { ...state, target: { ...target, status } };
}
