import type { Clearance, PinnedArtifact } from '../../artifacts/index.js';
import type { NewEvent } from '../../registry/index.js';
import {
  compareVersions,
  knownOr,
  type Observed,
  type Store,
  type StoreItem,
  type StoreStep,
} from '../../stores/pure.js';
import {
  channelOrNull,
  platformStatusOf,
  type TargetStatus,
  type TargetWithStatus,
  type LockedTarget,
} from '../../targets/pure.js';
import { plan } from './planner.js';
import { isPending, isStoreLagging } from './situation.js';
import {
  ALL_USERS,
  whileThrottled,
  type NextStep,
  type PlanningFacts,
  type ReleaseFacts,
  type Throttles,
} from './plan.js';
import { hasEnded, type ReleaseEntity, type StepName } from '../releases/pure.js';

/** The steps that call a store. */
export type CallingStep = StoreStep['step'];

const CALLING: readonly StepName[] = [
  'upload',
  'poll',
  'submit',
  'release',
  'rollout',
  'rollback',
  'cancel',
] satisfies readonly CallingStep[];
export const isCalling = (step: StepName): step is CallingStep => CALLING.includes(step);

/** Everything that is known of a target before its store is asked. */
export interface TargetContext<T extends TargetWithStatus = LockedTarget> {
  /** Of a store with versions per platform, with the status of the platform. */
  readonly target: T;
  readonly platform: string | null;
  readonly store: Store;
  readonly pinned: PinnedArtifact | null;
  readonly releases: readonly ReleaseEntity[];
  /** The pinned version's release, once it has set out. */
  readonly release: ReleaseEntity | null;
  /** The store has other content for that release than is pinned now. */
  readonly isOtherContent: boolean;
  /** Faults for which the store would refuse the pinned package, in sentences, unless a person has overridden them. */
  readonly refusals: readonly string[];
  /** Whether another person has approved the pinned version, where the extension requires it. */
  readonly clearance: Clearance;
  /** Time until which the store accepts no uploads or changes with the target's credential. */
  readonly throttles: Throttles;
}

/** The store's answer, and the next step. */
export interface Assessment<T extends TargetWithStatus = LockedTarget> extends TargetContext<T> {
  readonly observed: Observed;
  readonly plan: NextStep;
}

/** The item of a target, with the ids that the store issued for the release under way. */
export function itemOf({
  target,
  platform,
  release,
}: Pick<TargetContext<TargetWithStatus>, 'target' | 'platform' | 'release'>): StoreItem {
  if (target.storeItemId === null) throw new Error('Only a complete target is worked on');
  const { storeItemId, crxId, platforms, channel } = target;
  return {
    storeItemId,
    crxId,
    platforms: platform === null ? platforms : [platform],
    channel: channelOrNull(channel),
    handles: release?.handles ?? {},
  };
}

/** Platforms as their makers write them. */
const PLATFORM_NAMES: Readonly<Record<string, string>> = { macos: 'macOS', ios: 'iOS', android: 'Android' };

/** The store's name for sentences, with the platform where it has versions per platform. */
const titleOf = ({ title }: Pick<Store, 'title'>, platform: string | null): string =>
  platform === null ? title : `${title} (${PLATFORM_NAMES[platform] ?? platform})`;

/** A sentence for the timeline, which names the store once: in front, unless the sentence begins with it. Pure. */
export function withTitle(store: Pick<Store, 'title'>, platform: string | null, sentence: string): string {
  const title = titleOf(store, platform);
  const rest = sentence.startsWith(store.title) ? sentence.slice(store.title.length) : '';
  return /^ [a-z]/.test(rest) ? `${title}${rest}` : `${title}: ${sentence}`;
}

/** An event of a target, or of one of its platforms. Pure. */
export const eventOf = (
  { target, store, platform }: Pick<TargetContext<TargetWithStatus>, 'target' | 'store' | 'platform'>,
  version: string | null,
  kind: string,
  message: string,
  data: object,
): NewEvent => ({
  extensionId: target.extensionId,
  targetId: target.id,
  version,
  kind,
  message: withTitle(store, platform, message),
  data,
});

/** Advice where a store serves what it was not sent: somebody may have the account who should not. */
export const remedyOf = ({ store: { capabilities } }: Pick<TargetContext, 'store'>): string =>
  `change the passwords and keys of the account, and push a higher version${capabilities.rollback ? ' or roll back' : ''}.`;

/** The share of users, in percent, that a target offers its versions to. */
export const percentOf = ({ rolloutPercent }: TargetWithStatus): number => rolloutPercent ?? ALL_USERS;

/** The platforms of a target that are driven one after another; `null` means all of them together. */
export const platformsOf = ({ capabilities }: Store, { platforms }: TargetWithStatus): readonly (string | null)[] =>
  capabilities.releasesPerPlatform ? platforms : [null];

/** A target with the status of one of its platforms. */
export const ofPlatform = <T extends TargetWithStatus>(target: T, platform: string | null): T =>
  platform === null ? target : { ...target, status: platformStatusOf(target.status, platform) };

/** Decides about a target by what its store has just answered. Pure. */
export function decide(context: TargetContext<TargetWithStatus>, observed: Observed, now: Date): NextStep {
  const { target, store, pinned, releases, release, isOtherContent, refusals, clearance, throttles } = context;
  const pending = pendingRelease(releases, observed);
  // A release that ended and is at the store again was submitted by a person.
  const pendingSubmittedByPierhead = pending !== null && !hasEnded(pending.state);
  const isHeld = (version: string | undefined): boolean =>
    target.releaseMode === 'manual' && target.status.releaseRequested !== version;
  const isBeingReleased = pending?.state === 'releasing' && isStoreLagging({ since: pending.stateAt }, now);
  const facts = release === null ? null : factsOf(release, isOtherContent);
  const decided = plan(pinned?.storeVersion ?? null, observed, facts, {
    capabilities: store.capabilities,
    onPending: target.onPending,
    pendingSubmittedByPierhead,
    pendingIsReleasable: pendingSubmittedByPierhead && !isBeingReleased && !isHeld(pending.version),
    isHeld: isHeld(pinned?.storeVersion),
    isReleaseRequested: pinned !== null && target.status.releaseRequested === pinned.storeVersion,
    wasReenabled: release !== null && target.enabledAt != null && release.stateAt < target.enabledAt,
    isPaused: target.paused,
    rolloutPercent: target.rolloutPercent,
    refusals,
    clearance,
    ...ofPinned(pinned, store),
    lastLive: target.status.liveVersion,
    lastSubmitted: target.status.submittedVersion,
    now,
  });
  return whileThrottled(decided, throttles, now);
}

const ofPinned = (
  pinned: PinnedArtifact | null,
  { capabilities }: Store,
): Pick<PlanningFacts, 'rollbackOf' | 'sourceDueAt' | 'hasApp'> => ({
  hasApp: capabilities.appPackages && (pinned?.platform ?? '') !== '',
  rollbackOf: pinned?.rollbackOf ?? null,
  sourceDueAt: capabilities.sourceUpload ? (pinned?.sourceDueAt ?? null) : null,
});

const factsOf = (
  { state, stateAt, submittedByPierhead, earlierVerdict, rollout, refusal }: ReleaseEntity,
  isOtherContent: boolean,
): ReleaseFacts => ({
  state,
  since: stateAt,
  submittedByPierhead,
  earlierVerdict,
  rollout: rollout === null ? null : { percent: rollout.percent, since: new Date(rollout.at) },
  refusal: refusal?.message ?? null,
  isOtherContent,
});

/** A share of users that is not all of them; null for all. */
const partOf = (percent: number | null): number | null => (percent === null || percent >= ALL_USERS ? null : percent);

/** The versions to show for a target, and to how many users: what the store shows, and where it shows nothing, what was known before. */
export function versionsOf(
  { target: { status }, releases }: Pick<TargetContext<TargetWithStatus>, 'target' | 'releases'>,
  { live, submission, rolloutPercent, fileDigest }: Observed,
  now: Date,
): Pick<
  TargetStatus,
  'liveVersion' | 'fileDigest' | 'offeredPercent' | 'offeredSince' | 'liveByPierhead' | 'submittedVersion'
> {
  const served = knownOr(live, status.liveVersion);
  const isServed = (version: string | null): boolean =>
    served !== null && version !== null && compareVersions(version, served) === 0;
  const offeredPercent = live.known ? partOf(rolloutPercent) : status.offeredPercent;
  const isAsBefore = isServed(status.liveVersion) && offeredPercent === status.offeredPercent;
  const beyondLive = knownOr(submission, null);
  const pendingVersion = beyondLive !== null && isPending(beyondLive) ? beyondLive.version : null;
  return {
    liveVersion: served,
    fileDigest: live.known ? (fileDigest ?? null) : status.fileDigest,
    offeredPercent,
    offeredSince: offeredPercent === null ? null : ((isAsBefore ? status.offeredSince : null) ?? now),
    liveByPierhead: releases.some(({ version, submittedByPierhead }) => submittedByPierhead && isServed(version)),
    submittedVersion: submission.known ? pendingVersion : status.submittedVersion,
  };
}

/**
 * The version that a store serves, that it did not serve at the last check, and that is none of the target's releases; null where there is none,
 * or none was known before. Pure.
 */
export function newlyServed(
  { target: { status, watched }, releases }: Pick<TargetContext<TargetWithStatus>, 'target' | 'releases'>,
  { live }: Observed,
): string | null {
  if (!watched) return null;
  const served = knownOr(live, null);
  if (served === null || status.liveVersion === null) return null;
  const known = [status.liveVersion, ...releases.map(({ version }) => version)];
  return known.some((version) => compareVersions(version, served) === 0) ? null : served;
}

/** Whether a store serves another file of the live version than at the last check: it never signs one again (src/stores/README.md#firefox-objects). Pure. */
export function servesOtherFile(
  { target: { status, watched } }: Pick<TargetContext<TargetWithStatus>, 'target'>,
  { live, fileDigest }: Observed,
): boolean {
  const served = knownOr(live, null);
  if (!watched || served === null || status.liveVersion === null || compareVersions(status.liveVersion, served) !== 0)
    return false;
  return status.fileDigest !== null && fileDigest !== undefined && fileDigest !== status.fileDigest;
}

/** The release that a step is about; null where there is none yet. */
export const releaseOf = (step: CallingStep, state: Assessment<TargetWithStatus>): ReleaseEntity | null =>
  isOfPending(step, state) ? pendingRelease(state.releases, state.observed) : state.release;

/** Whether a step is about the version that blocks the pinned one. */
function isOfPending(step: CallingStep, { observed, pinned }: Assessment<TargetWithStatus>): boolean {
  if (step !== 'release') return step === 'cancel';
  const pending = knownOr(observed.submission, null);
  return pending !== null && pinned !== null && compareVersions(pending.version, pinned.storeVersion) !== 0;
}

/** The release that Pierhead submitted and whose version is the store's submission now; null where there is none. */
function pendingRelease(releases: readonly ReleaseEntity[], { submission }: Observed): ReleaseEntity | null {
  const pending = knownOr(submission, null);
  if (pending === null) return null;
  return (
    releases.find(
      ({ version, submittedByPierhead }) => submittedByPierhead && compareVersions(version, pending.version) === 0,
    ) ?? null
  );
}

/** @throws Error for a target that is incomplete, which is never worked on */
export function credentialOf({ credentialId }: TargetWithStatus): string {
  if (credentialId === null) throw new Error('Only a complete target is worked on');
  return credentialId;
}
