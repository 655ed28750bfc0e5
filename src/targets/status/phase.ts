/** The phases of a target, as the tenant sees them. */
export const PHASES = [
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
  'rejected',
  'action_required',
  'backing_off',
  'taken_down',
] as const;
export type Phase = (typeof PHASES)[number];

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
