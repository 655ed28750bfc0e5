import type { NewEvent } from '../../../registry/index.js';
import { DAY_MS } from '../../../common/system/index.js';
import { knownOr } from '../../../stores/pure.js';
import type { TargetStatus } from '../../../targets/index.js';
import type { ReleaseEntity } from '../../releases/pure.js';
import {
  decide,
  eventOf,
  isCalling,
  remedyOf,
  servesOtherFile,
  versionsOf,
  type Assessment,
  type TargetContext,
} from '../context.js';
import type { ObservedEvent, Transition } from './events.js';
import { moveRelease, withNewRelease, updateOtherReleases, withoutRequest } from './release-changes.js';
import { changeStatus, isRefused, nextCheckOf, type Cause, type Timing } from './change-status.js';

/** A review that takes longer is reported; most stores decide within days. */
const STUCK_AFTER_MS = 10 * DAY_MS;

/** Decides by what the store has, and notes where the releases and the target are. Pure. */
export function storeObserved(
  context: TargetContext,
  { observed, releaseId, unpushed }: ObservedEvent,
  timing: Timing,
): Transition<Assessment> {
  const { now } = timing;
  const plan = decide(context, observed, now);
  const { step, because } = plan;
  let state: Assessment = updateOtherReleases({ ...context, observed, plan }, now);
  const { pinned } = state;
  const startsRelease = isCalling(step) || (plan.release !== null && plan.release !== 'superseded');
  if (state.release === null && pinned !== null && startsRelease) state = withNewRelease(state, pinned, releaseId, now);
  if (state.release !== null) state = withRelease(state, state.release, now);
  const timeline = unpushed === null ? [] : [unexpected(state, unpushed)];
  if (servesOtherFile(context, observed)) timeline.push(otherFile(state));
  if (state.release !== null && isStuck(state, state.release, now)) {
    timeline.push(stuck(state, state.release));
    state = moveRelease(state, state.release, null, { remindedAt: now }, now);
  }
  const update = changeStatus(
    state,
    {
      ...versionsOf(state, observed, now),
      ...shownAfterCheck(state),
      desiredVersion: pinned?.storeVersion ?? null,
      checkedAt: now,
      notBefore: null,
      checkBy: plan.throttledUntil,
      // A step that is still to be made may fail like the one before it, or end with this process: then the next check is soon.
      ...(isCalling(step) ? { nextCheckAt: nextCheckOf('uploading', 1, null, timing) } : { failures: 0 }),
    },
    timing,
    { raw: observed.raw, ...causeOf(plan) },
  );
  const report = isCalling(step) ? null : ({ step, because, outcome: 'none' } as const);
  const announced = [...timeline, ...update.timeline];
  const earlier = olderVersionsLive(context, state).filter(
    ({ kind, version }) => !announced.some((one) => one.kind === kind && one.version === version),
  );
  return { ...update, timeline: [...earlier, ...announced], throttle: null, report };
}

/** Why a person has to act, where the timeline is asked for it. */
function causeOf({ approval, release }: Assessment['plan']): Cause {
  if (approval !== undefined) return { cause: 'approval' };
  return release === 'cancelled' ? { cause: 'cancelled' } : {};
}

/** Events of versions that went live while another one is pinned, which the status does not show. */
const olderVersionsLive = (before: TargetContext, after: Assessment): readonly NewEvent[] =>
  after.releases
    .filter(({ id, state }) => state === 'live' && id !== after.release?.id)
    .filter(({ id }) => before.releases.some((one) => one.id === id && one.state !== 'live'))
    .map(({ version }) => eventOf(after, version, 'phase_live', `Version ${version} is live.`, {}));

/** Moves the pinned version's release to where the store shows it. */
function withRelease(state: Assessment, release: ReleaseEntity, now: Date): Assessment {
  const { plan } = state;
  const isIdle = !isCalling(plan.step) && plan.throttledUntil === undefined;
  const hasEnded = plan.release === 'rejected' || plan.release === 'cancelled';
  const changes = {
    ...(plan.release === null ? {} : { intent: null }),
    ...(isIdle && release.state !== 'failed' ? { refusal: rejectionIn(state, release) } : {}),
  };
  const next = moveRelease(state, release, plan.release, changes, now);
  return hasEnded ? withoutRequest(next, release) : next;
}

/** The store's words about a rejection that it shows; null for none. */
function rejectionIn({ plan, observed }: Assessment, { refusal }: ReleaseEntity): ReleaseEntity['refusal'] {
  const words = plan.release === 'rejected' ? knownOr(observed.submission, null)?.words : undefined;
  if (words === undefined) return null;
  return refusal?.message === words ? refusal : { step: 'submit', kind: 'artifact', message: words };
}

function isStuck({ plan }: Assessment, release: ReleaseEntity, now: Date): boolean {
  if (plan.phase !== 'in_review' || release.state !== 'in_review') return false;
  return release.remindedAt === null && now.getTime() - release.stateAt.getTime() >= STUCK_AFTER_MS;
}

/** Somebody with access to the account may have published it, or somebody who should have none. */
const unexpected = (state: Assessment, version: string): NewEvent =>
  eventOf(
    state,
    version,
    'unexpected_version',
    `Version ${version} is served, and nobody pushed it. If none of you published it in the store's dashboard, ${remedyOf(state)}`,
    { before: state.target.status.liveVersion },
  );

function otherFile(state: Assessment): NewEvent {
  const { liveVersion, fileDigest } = state.target.status;
  return eventOf(
    state,
    liveVersion,
    'unexpected_version',
    `The file of version ${liveVersion} has been replaced, and nobody pushed another. If the store does not explain it, ${remedyOf(state)}`,
    { before: fileDigest, after: state.observed.fileDigest },
  );
}

const stuck = (state: Assessment, { version, stateAt }: ReleaseEntity): NewEvent =>
  eventOf(
    state,
    version,
    'stuck_in_review',
    `Version ${version} has been in review since ${stateAt.toISOString()}. Check the store's dashboard, or ask its support.`,
    { since: stateAt },
  );

/** Status of a target after its store was asked. */
function shownAfterCheck(state: Assessment): Pick<TargetStatus, 'phase' | 'message' | 'refusable' | 'approval'> {
  const { target, plan, observed } = state;
  const { phase, message, refusable, approval } = target.status;
  const asBefore = { phase, message, refusable, approval };
  if (isRefused(state, plan.phase)) return asBefore;
  // The refusal gave the reason; the check only confirms it.
  if (state.release?.state === 'failed' && plan.phase === phase) return asBefore;
  // A poll says more than the check before it, and what it says is shown already.
  if (plan.step === 'poll' && plan.phase === phase) return asBefore;
  const warning = observed.warned ? ' The store warns that it will take the item down unless it is changed.' : '';
  return {
    phase: plan.phase,
    message: plan.because + warning,
    refusable: plan.refusable ?? false,
    approval: plan.approval ?? null,
  };
}
