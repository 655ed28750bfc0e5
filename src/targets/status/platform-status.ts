import { compareVersions } from '../../stores/pure.js';
import { PHASE_FACTS, PHASES } from './phase.js';
import type { TargetStatus, PlatformStatus } from './target-status.entity.js';

/** The part of a target's status that each platform has for itself, where a store keeps versions per platform. */
export type PlatformFields = Pick<
  TargetStatus,
  | 'phase'
  | 'message'
  | 'liveVersion'
  | 'submittedVersion'
  | 'offeredPercent'
  | 'offeredSince'
  | 'liveByPierhead'
  | 'failures'
  | 'checksInPhase'
  | 'nextCheckAt'
>;

type StatusWithPlatforms = PlatformFields & Pick<TargetStatus, 'platformStatuses'>;

/** From what needs a person most to what is done: the target has the first of these that any platform is in. */
const LEAST_ADVANCED = PHASES.toSorted((one, other) => PHASE_FACTS[other].severity - PHASE_FACTS[one].severity);

/** The status of one platform of a target; what is not known of the platform yet is as for the target. Pure. */
export function platformStatusOf<T extends StatusWithPlatforms>(status: T, platform: string): T {
  const platformStatus = status.platformStatuses[platform];
  if (platformStatus === undefined) return status;
  return {
    ...status,
    ...platformStatus,
    offeredSince: timeOf(platformStatus.offeredSince),
    nextCheckAt: timeOf(platformStatus.nextCheckAt),
  };
}

/** The share, in percent, that means all users. */
const ALL = 100;

const timeOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));

/**
 * A target's status after one of its platforms has moved: the phase is the least advanced, the live version the lowest (none while one
 * platform has none), its share of users the smallest, the next check that of the platform due first. Pure.
 */
export function withPlatformStatus<T extends StatusWithPlatforms>(
  status: T,
  platform: string,
  moved: PlatformFields,
): T {
  const { phase, message, liveVersion, submittedVersion, failures, checksInPhase } = moved;
  const platformStatus: PlatformStatus = {
    phase,
    message,
    liveVersion,
    submittedVersion,
    offeredPercent: moved.offeredPercent,
    offeredSince: moved.offeredSince?.toISOString() ?? null,
    liveByPierhead: moved.liveByPierhead,
    failures,
    checksInPhase,
    nextCheckAt: moved.nextCheckAt?.toISOString() ?? null,
  };
  const platformStatuses = { ...status.platformStatuses, [platform]: platformStatus };
  const all = Object.values(platformStatuses);
  return {
    ...status,
    ...combined(Object.entries(platformStatuses)),
    platformStatuses,
    failures: most(all, 'failures'),
    checksInPhase: most(all, 'checksInPhase'),
  };
}

/** Each platform with its status, in the order in which the target names them. */
export const platformStatusesInOrder = (
  platforms: readonly string[],
  { platformStatuses }: Pick<StatusWithPlatforms, 'platformStatuses'>,
): readonly (readonly [platform: string, platformStatus: PlatformStatus])[] =>
  platforms.flatMap((platform) => {
    const platformStatus = platformStatuses[platform];
    return platformStatus === undefined ? [] : [[platform, platformStatus] as const];
  });

function combined(
  platformStatuses: readonly (readonly [platform: string, platformStatus: PlatformStatus])[],
): Omit<PlatformFields, 'failures' | 'checksInPhase'> {
  const all = platformStatuses.map(([, platformStatus]) => platformStatus);
  const lives = all.map(({ liveVersion }) => liveVersion);
  const due = all.flatMap(({ nextCheckAt }) => (nextCheckAt === null ? [] : [nextCheckAt])).toSorted();
  const liveVersion = lives.includes(null) ? null : lowest(lives);
  return {
    ...smallestShare(all.filter((one) => one.liveVersion === liveVersion)),
    phase: LEAST_ADVANCED.find((phase) => all.some((platformStatus) => platformStatus.phase === phase)) ?? 'idle',
    message:
      new Set(all.map(({ message }) => message)).size === 1 ? (all[0]?.message ?? '') : messageOf(platformStatuses),
    liveVersion,
    submittedVersion: lowest(all.map(({ submittedVersion }) => submittedVersion)),
    nextCheckAt: timeOf(due[0] ?? null),
  };
}

const messageOf = (
  platformStatuses: readonly (readonly [platform: string, platformStatus: PlatformStatus])[],
): string => platformStatuses.map(([platform, { message }]) => `${platform}: ${message}`).join(' ');

function smallestShare(
  platformStatuses: readonly PlatformStatus[],
): Pick<PlatformFields, 'offeredPercent' | 'offeredSince' | 'liveByPierhead'> {
  const share = (one: PlatformStatus): number => one.offeredPercent ?? ALL;
  const [smallest] = platformStatuses.toSorted((one, other) => share(one) - share(other));
  const { offeredPercent = null, offeredSince = null, liveByPierhead = false } = smallest ?? {};
  return { offeredPercent, offeredSince: timeOf(offeredSince), liveByPierhead };
}

const most = (platformStatuses: readonly PlatformStatus[], count: 'failures' | 'checksInPhase'): number =>
  Math.max(...platformStatuses.map((platformStatus) => platformStatus[count]));

function lowest(versions: readonly (string | null)[]): string | null {
  const given = versions.filter((version) => version !== null);
  return given.toSorted(compareVersions)[0] ?? null;
}
