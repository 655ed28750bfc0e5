import { compareVersions } from '../stores/index.js';
import type { Phase } from './phase.js';
import type { TargetStatus, Track } from './target-status.entity.js';

/** The part of a target's status that each platform has for itself, where a store keeps versions per platform. */
export type TrackStatus = Pick<
  TargetStatus,
  'phase' | 'message' | 'liveVersion' | 'submittedVersion' | 'failures' | 'checksInPhase' | 'nextCheckAt'
>;

type Tracked = TrackStatus & Pick<TargetStatus, 'tracks'>;

/** From what needs a person most to what is done: the target has the first of these that any platform is in. */
const LEAST_ADVANCED: readonly Phase[] = [
  'taken_down',
  'rejected',
  'action_required',
  'backing_off',
  'disabled',
  'incomplete',
  'idle',
  'queued',
  'uploading',
  'validating',
  'submitting',
  'in_review',
  'approved',
  'releasing',
  'live',
];

/** The status of one platform of a target; what is not known of the platform yet is as for the target. Pure. */
export function trackOf<T extends Tracked>(status: T, platform: string): T {
  const track = status.tracks[platform];
  if (track === undefined) return status;
  return { ...status, ...track, nextCheckAt: track.nextCheckAt === null ? null : new Date(track.nextCheckAt) };
}

/**
 * A target's status after one of its platforms has moved: the phase is the least advanced, the live version the lowest (none while one
 * platform has none), the next check that of the platform due first. Pure.
 */
export function withTrack<T extends Tracked>(status: T, platform: string, moved: TrackStatus): T {
  const { phase, message, liveVersion, submittedVersion, failures, checksInPhase, nextCheckAt } = moved;
  const track: Track = {
    phase,
    message,
    liveVersion,
    submittedVersion,
    failures,
    checksInPhase,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
  };
  const tracks = { ...status.tracks, [platform]: track };
  const all = Object.values(tracks);
  return {
    ...status,
    ...combined(Object.entries(tracks)),
    tracks,
    failures: most(all, 'failures'),
    checksInPhase: most(all, 'checksInPhase'),
  };
}

/** Each platform with its status, in the order in which the target names them. */
export const tracksInOrder = (
  platforms: readonly string[],
  { tracks }: Pick<Tracked, 'tracks'>,
): readonly (readonly [platform: string, track: Track])[] =>
  platforms.flatMap((platform) => {
    const track = tracks[platform];
    return track === undefined ? [] : [[platform, track] as const];
  });

function combined(
  tracks: readonly (readonly [platform: string, track: Track])[],
): Omit<TrackStatus, 'failures' | 'checksInPhase'> {
  const all = tracks.map(([, track]) => track);
  const lives = all.map(({ liveVersion }) => liveVersion);
  const due = all.flatMap(({ nextCheckAt }) => (nextCheckAt === null ? [] : [nextCheckAt])).toSorted();
  return {
    phase: LEAST_ADVANCED.find((phase) => all.some((track) => track.phase === phase)) ?? 'idle',
    message: new Set(all.map(({ message }) => message)).size === 1 ? (all[0]?.message ?? '') : messageOf(tracks),
    liveVersion: lives.includes(null) ? null : lowest(lives),
    submittedVersion: lowest(all.map(({ submittedVersion }) => submittedVersion)),
    nextCheckAt: due[0] === undefined ? null : new Date(due[0]),
  };
}

const messageOf = (tracks: readonly (readonly [platform: string, track: Track])[]): string =>
  tracks.map(([platform, { message }]) => `${platform}: ${message}`).join(' ');

const most = (tracks: readonly Track[], count: 'failures' | 'checksInPhase'): number =>
  Math.max(...tracks.map((track) => track[count]));

function lowest(versions: readonly (string | null)[]): string | null {
  const given = versions.filter((version) => version !== null);
  return given.toSorted(compareVersions)[0] ?? null;
}
