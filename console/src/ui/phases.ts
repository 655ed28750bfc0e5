import type { Schemas } from '../api/schemas';
import type { State } from './status';

type Phase = Schemas['TargetStatus']['phase'];
type ReleaseState = Schemas['ReleaseTarget']['state'];

interface Shown {
  readonly state: State;
  readonly word: string;
}

/** How the phase of a target is shown. */
const PHASES: Readonly<Record<Phase, Shown>> = {
  disabled: { state: 'off', word: 'off' },
  incomplete: { state: 'needs-you', word: 'not set up' },
  idle: { state: 'off', word: 'nothing to do' },
  queued: { state: 'moving', word: 'waiting' },
  uploading: { state: 'moving', word: 'uploading' },
  validating: { state: 'moving', word: 'checking' },
  submitting: { state: 'moving', word: 'submitting' },
  in_review: { state: 'moving', word: 'in review' },
  approved: { state: 'needs-you', word: 'approved' },
  releasing: { state: 'moving', word: 'going live' },
  live: { state: 'live', word: 'live' },
  rejected: { state: 'rejected', word: 'rejected' },
  action_required: { state: 'needs-you', word: 'needs you' },
  backing_off: { state: 'moving', word: 'trying again' },
  taken_down: { state: 'rejected', word: 'taken down' },
};

/** How a target is shown: a paused one is off in whatever phase it rests. */
export const shownOf = (phase: Phase, isPaused: boolean): Shown =>
  isPaused ? { state: 'off', word: `${PHASES[phase].word}, paused` } : PHASES[phase];

/** How the state of a version at a store is shown. */
export const RELEASE_STATES: Readonly<Record<ReleaseState, Shown>> = {
  queued: { state: 'moving', word: 'waiting' },
  uploading: { state: 'moving', word: 'uploading' },
  processing: { state: 'moving', word: 'checking' },
  submitting: { state: 'moving', word: 'submitting' },
  in_review: { state: 'moving', word: 'in review' },
  approved: { state: 'needs-you', word: 'approved' },
  releasing: { state: 'moving', word: 'going live' },
  live: { state: 'live', word: 'live' },
  rejected: { state: 'rejected', word: 'rejected' },
  failed: { state: 'rejected', word: 'failed' },
  superseded: { state: 'off', word: 'replaced' },
  cancelled: { state: 'off', word: 'withdrawn' },
};

/** The stores in the order in which they are always shown, by their short names. */
export const STORES = { chrome: 'Chrome', firefox: 'Firefox', edge: 'Edge', safari: 'Safari' } as const;
export type StoreId = keyof typeof STORES;

/** Platforms, as their makers write them. */
const PLATFORMS: Readonly<Record<string, string>> = {
  macos: 'macOS',
  ios: 'iOS',
  desktop: 'Desktop',
  android: 'Android',
};

/** A platform by its name. */
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform;

/** A store's platform in brackets, after a name; nothing where there is none. */
export const ofPlatform = (platform: string | null): string =>
  platform === null ? '' : ` (${platformName(platform)})`;

/** The payment processors by their names. */
export const PROCESSORS = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  lemonsqueezy: 'Lemon Squeezy',
  polar: 'Polar',
} as const;
