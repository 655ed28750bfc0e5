import type { Phase } from './phase.js';

/** Tones of a state: users get it, it is on its way, a person has to act, a store refused it, or it rests. */
export const TONES = ['live', 'underway', 'needs_you', 'rejected', 'off'] as const;
export type Tone = (typeof TONES)[number];

/** The party that acts next: the tenant, the store, or Pierhead. */
export const TURNS = ['you', 'store', 'pierhead'] as const;
export type Turn = (typeof TURNS)[number];

/** Display of the state of a target or a version. */
export interface Display {
  readonly word: string;
  readonly tone: Tone;
  /** Null when nobody has to. */
  readonly turn: Turn | null;
  /** Stages behind it, of the five from pushed to live. */
  readonly progress: number;
}

const shown = (word: string, tone: Tone, turn: Turn | null, progress: number): Display => ({
  word,
  tone,
  turn,
  progress,
});

/** Beginning of the message of a target that does not send its version because of findings: it tells this wait from one for the store. */
export const HELD_MESSAGE = 'The store would refuse version';

/** Display of a version that is held until a person releases it. */
const HELD = shown('approved', 'needs_you', 'you', 4);

const PHASES: Readonly<Record<Phase, Display>> = {
  disabled: shown('off', 'off', null, 0),
  incomplete: shown('not set up', 'needs_you', 'you', 0),
  idle: shown('nothing pushed', 'off', null, 0),
  queued: shown('waiting', 'underway', 'pierhead', 0),
  uploading: shown('uploading', 'underway', 'pierhead', 1),
  validating: shown('checking', 'underway', 'store', 2),
  submitting: shown('submitting', 'underway', 'pierhead', 3),
  in_review: shown('in review', 'underway', 'store', 3),
  approved: shown('approved', 'underway', 'pierhead', 4),
  releasing: shown('going live', 'underway', 'store', 4),
  live: shown('live', 'live', null, 5),
  rejected: shown('rejected', 'rejected', 'you', 3),
  action_required: shown('needs you', 'needs_you', 'you', 0),
  backing_off: shown('trying again', 'underway', 'pierhead', 0),
  taken_down: shown('taken down', 'rejected', 'you', 5),
};

/** Facts on which the display of a target depends. */
export interface Displayed {
  readonly phase: Phase;
  readonly paused: boolean;
  /** An approved version waits until a person releases it. */
  readonly isReleasedByHand: boolean;
  /** A person has asked for the release of the pinned version. */
  readonly isReleaseRequested: boolean;
}

/** Returns the display of a phase alone. Pure. */
export const displayOfPhase = (phase: Phase, isHeld: boolean): Display =>
  phase === 'approved' && isHeld ? HELD : PHASES[phase];

/** Returns the display of a target. A paused one rests, unless it needs a person. Pure. */
export function displayOf({ phase, paused, isReleasedByHand, isReleaseRequested }: Displayed): Display {
  const display = displayOfPhase(phase, isReleasedByHand && !isReleaseRequested);
  if (!paused || phase === 'disabled') return display;
  const word = `${display.word}, paused`;
  return display.turn === 'you' ? { ...display, word } : { ...display, word, tone: 'off', turn: null };
}
