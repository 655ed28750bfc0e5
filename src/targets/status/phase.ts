/** Tones of a state: users get it, it is on its way, a person has to act, a store refused it, or it rests. */
export const TONES = ['live', 'underway', 'needs_you', 'rejected', 'off'] as const;
export type Tone = (typeof TONES)[number];

/** The party that acts next: the tenant, the store, or Pierhead. */
export const TURNS = ['you', 'store', 'pierhead'] as const;
export type Turn = (typeof TURNS)[number];

/** How often the store is checked. */
export type Pace = 'never' | 'at_work' | 'in_review' | 'releasing' | 'failing' | 'daily';

/** Requests about the pinned version that a target takes in some phases. */
export const TARGET_REQUESTS = ['release', 'resubmit'] as const;
export type TargetRequest = (typeof TARGET_REQUESTS)[number];

/** Display of the state of a target or a version. */
export interface Display {
  readonly word: string;
  readonly tone: Tone;
  /** Null when nobody has to. */
  readonly turn: Turn | null;
  /** Stages behind it, of the five from pushed to live. */
  readonly progress: number;
}

/** Everything that follows from a phase alone. */
interface PhaseFacts {
  readonly display: Display;
  readonly pace: Pace;
  /** Of several platforms, the target has the phase with the highest; 0 where nothing is wrong. */
  readonly severity: number;
  /** A version is under way and waits for neither a review nor a person, so that staying here is no progress. */
  readonly stalls: boolean;
  /** It remains when a version is pinned, since it is about the target or the item, not about a version. */
  readonly outlastsPins: boolean;
  /** The request that a target may take; `requestRefusal` has its other conditions. */
  readonly request: TargetRequest | null;
}

const shown = <T extends Turn | null>(word: string, tone: Tone, turn: T, progress: number) => ({
  word,
  tone,
  turn,
  progress,
});

const AT_REST = { severity: 0, stalls: false, outlastsPins: false, request: null };
const UNDER_WAY = { ...AT_REST, stalls: true };
const OF_THE_TARGET = { ...AT_REST, outlastsPins: true };

/** The phases of a target, as the tenant sees them: declared here and nowhere else. */
export const PHASE_FACTS = {
  disabled: { display: shown('off', 'off', null, 0), ...OF_THE_TARGET, pace: 'never' },
  incomplete: { display: shown('not set up', 'needs_you', 'you', 0), ...OF_THE_TARGET, pace: 'never' },
  idle: { display: shown('nothing pushed', 'off', null, 0), ...AT_REST, pace: 'daily' },
  queued: { display: shown('waiting', 'underway', 'pierhead', 0), ...UNDER_WAY, pace: 'in_review' },
  uploading: { display: shown('uploading', 'underway', 'pierhead', 1), ...UNDER_WAY, pace: 'at_work' },
  validating: { display: shown('checking', 'underway', 'store', 2), ...UNDER_WAY, pace: 'at_work' },
  submitting: { display: shown('submitting', 'underway', 'pierhead', 2), ...UNDER_WAY, pace: 'at_work' },
  in_review: { display: shown('in review', 'underway', 'store', 3), ...AT_REST, pace: 'in_review', request: 'release' },
  approved: {
    display: shown('approved', 'underway', 'pierhead', 4),
    ...AT_REST,
    pace: 'in_review',
    request: 'release',
  },
  releasing: { display: shown('going live', 'underway', 'store', 4), ...UNDER_WAY, pace: 'releasing' },
  live: { display: shown('live', 'live', null, 5), ...AT_REST, pace: 'daily' },
  rejected: {
    display: shown('rejected', 'rejected', 'you', 3),
    ...AT_REST,
    severity: 3,
    pace: 'daily',
    request: 'resubmit',
  },
  action_required: {
    display: shown('needs you', 'needs_you', 'you', 0),
    ...AT_REST,
    severity: 2,
    pace: 'daily',
    request: 'resubmit',
  },
  backing_off: {
    display: shown('trying again', 'underway', 'pierhead', 0),
    ...UNDER_WAY,
    severity: 1,
    pace: 'failing',
    request: 'release',
  },
  taken_down: { display: shown('taken down', 'rejected', 'you', 5), ...OF_THE_TARGET, severity: 4, pace: 'daily' },
} as const satisfies Readonly<Record<string, PhaseFacts>>;
export type Phase = keyof typeof PHASE_FACTS;

/** The phases in which the tenant has to act. */
export type PhaseOfYours = {
  [P in Phase]: (typeof PHASE_FACTS)[P]['display']['turn'] extends 'you' ? P : never;
}[Phase];
export const isYours = (phase: Phase): phase is PhaseOfYours => PHASE_FACTS[phase].display.turn === 'you';

export const PHASES = Object.keys(PHASE_FACTS) as readonly Phase[];

/** The phases about which something is true. */
export const phasesThat = (has: (facts: PhaseFacts) => boolean): readonly Phase[] =>
  PHASES.filter((phase) => has(PHASE_FACTS[phase]));

/** Settings that a target needs before a store can be asked about it. */
export const REQUIRED_SETTINGS = ['storeItemId', 'credentialId'] as const;

interface Configured {
  readonly enabled: boolean;
  readonly storeItemId: string | null;
  readonly credentialId: string | null;
}

export const missingOf = (target: Configured): readonly (typeof REQUIRED_SETTINGS)[number][] =>
  REQUIRED_SETTINGS.filter((name) => target[name] === null);

/** The part of a target's status that its settings alone determine. */
export interface ConfiguredPhase {
  readonly phase: Phase;
  readonly message: string;
  /** The store may be asked. */
  readonly isDrivable: boolean;
}

/**
 * The phase of a target whose settings have just changed, before its store has been asked again. Precedence: disabled,
 * incomplete, and otherwise the phase it had with the reason for it, or `idle` when that was one of these.
 */
export function phaseFromSettings(
  target: Configured & { readonly phase: Phase; readonly message: string },
): ConfiguredPhase {
  if (!target.enabled)
    return {
      phase: 'disabled',
      message: 'The target is disabled; nothing is published to it.',
      isDrivable: false,
    };
  const missing = missingOf(target);
  if (missing.length > 0)
    return { phase: 'incomplete', message: `The target still needs ${missing.join(' and ')}.`, isDrivable: false };
  const wasInactive = target.phase === 'disabled' || target.phase === 'incomplete';
  return {
    phase: wasInactive ? 'idle' : target.phase,
    message: wasInactive ? 'Pierhead will check the store shortly.' : target.message,
    isDrivable: true,
  };
}
