import type { Style } from '../terminal/terminal.js';
import { isSameVersion } from './goal.js';
import type { Target } from './targets.js';

type Phase = Target['status']['phase'];

/** How people see a phase: a word, how far it is on its way, and whose turn it is. */
export interface PhaseDisplay {
  readonly word: string;
  /** Stages behind it, of the five from pushed to live. */
  readonly progress: number;
  readonly tone: 'live' | 'underway' | 'needsYou' | 'rejected' | 'off';
}

const PHASE_DISPLAYS: Readonly<Record<Phase, PhaseDisplay>> = {
  disabled: { word: 'off', progress: 0, tone: 'off' },
  incomplete: { word: 'needs you', progress: 0, tone: 'needsYou' },
  idle: { word: 'nothing pushed', progress: 0, tone: 'off' },
  queued: { word: 'waiting', progress: 0, tone: 'underway' },
  uploading: { word: 'uploading', progress: 1, tone: 'underway' },
  validating: { word: 'checking', progress: 2, tone: 'underway' },
  submitting: { word: 'submitting', progress: 3, tone: 'underway' },
  in_review: { word: 'in review', progress: 3, tone: 'underway' },
  approved: { word: 'approved', progress: 4, tone: 'underway' },
  releasing: { word: 'releasing', progress: 4, tone: 'underway' },
  live: { word: 'live', progress: 5, tone: 'live' },
  rejected: { word: 'rejected', progress: 3, tone: 'rejected' },
  action_required: { word: 'needs you', progress: 0, tone: 'needsYou' },
  backing_off: { word: 'trying again', progress: 0, tone: 'underway' },
  taken_down: { word: 'taken down', progress: 5, tone: 'rejected' },
};

export const displayOf = (phase: Phase): PhaseDisplay => PHASE_DISPLAYS[phase];

/** Where an older version is live and the store was not given the newer one yet: both, in a few words. Null otherwise. Pure. */
export function olderLive({ status: { phase, liveVersion, desiredVersion } }: Target): string | null {
  if (phase !== 'live' || liveVersion === null || desiredVersion === null) return null;
  return isSameVersion(liveVersion, desiredVersion) ? null : `${liveVersion} live, ${desiredVersion} waiting`;
}

/** Whether the store offers the live version to some of the users, and not to all. Pure. */
export const isPartlyOffered = (percent: number | null): boolean => percent !== null && percent < 100;

/** Where a target stands, in a few words: `1.4.0 live`, `1.3.2 → 1.4.0 in review`, `needs you`. */
export function cellOf(target: Target): string {
  const { paused, status } = target;
  const older = olderLive(target);
  if (older !== null) return paused ? `${older} (paused)` : older;
  const { phase, liveVersion, desiredVersion, offeredPercent } = status;
  const { word } = displayOf(phase);
  const state = phase === 'live' && isPartlyOffered(offeredPercent) ? `live for ${offeredPercent} %` : word;
  const coming = phase === 'live' || phase === 'idle' || phase === 'disabled' ? null : desiredVersion;
  const versions = [...new Set([liveVersion, coming])].filter((version) => version !== null).join(' → ');
  return [versions, state, paused ? '(paused)' : ''].filter((part) => part !== '').join(' ');
}

const FORMATS = { live: 'green', underway: 'blue', needsYou: 'yellow', rejected: 'red', off: 'dim' } as const;

/** Colors what is said of a target by its tone. */
export const toned = (style: Style, target: Target, text: string): string =>
  style(FORMATS[olderLive(target) === null ? displayOf(target.status.phase).tone : 'underway'], text);
