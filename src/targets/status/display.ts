import { PHASE_FACTS, type Display, type Phase } from './phase.js';

/** Display of a version that is held until a person releases it. */
const HELD = { word: 'approved', tone: 'needs_you', turn: 'you', progress: 4 } as const satisfies Display;

/** Display of a version that waits for the approval of another person, and of one that got none. */
const UNAPPROVED = {
  waiting: { word: 'waits for approval', tone: 'needs_you', turn: 'you', progress: 1 },
  rejected: { word: 'not approved', tone: 'rejected', turn: 'you', progress: 1 },
} as const satisfies Readonly<Record<string, Display>>;

/** Facts on which the display of a target depends. */
export interface Displayed {
  readonly phase: Phase;
  readonly paused: boolean;
  /** An approved version waits until a person releases it. */
  readonly isReleasedByHand: boolean;
  /** A person has asked for the release of the pinned version. */
  readonly isReleaseRequested: boolean;
  /** What another person has decided about the pinned version, which is not sent; null where it does not wait for that. */
  readonly approval: 'waiting' | 'rejected' | null;
}

/** Returns the display of a phase alone. Pure. */
export const displayOfPhase = (phase: Phase, isHeld: boolean): Display =>
  phase === 'approved' && isHeld ? HELD : PHASE_FACTS[phase].display;

/** Returns the display of a target. A paused one rests, unless it needs a person. Pure. */
export function displayOf({ phase, paused, isReleasedByHand, isReleaseRequested, approval }: Displayed): Display {
  const isUnapproved = approval !== null && phase === 'action_required';
  const display = isUnapproved ? UNAPPROVED[approval] : displayOfPhase(phase, isReleasedByHand && !isReleaseRequested);
  if (!paused || phase === 'disabled') return display;
  const word = `${display.word}, paused`;
  return display.turn === 'you' ? { ...display, word } : { ...display, word, tone: 'off', turn: null };
}
