import type { FailureDetails, StoreFailure } from '../../stores/index.js';
import type { KnownTarget, Phase } from '../../targets/index.js';
import type { Refusal } from '../releases/release.entity.js';
import type { TargetContext } from './context.js';
import { noMore } from './plan.js';
import type { ReleaseState } from './release-state.js';

/** What a failure at the store makes of the target and of the release that was on its way. */
export interface FailureEffect {
  readonly phase: Phase;
  readonly message: string;
  /** The failure counts towards backing off. */
  readonly isFailure: boolean;
  /** The state that the release ends in; null when it stays as it is. */
  readonly release: ReleaseState | null;
}

type Failure = Pick<StoreFailure, 'kind' | 'message'> & { readonly details?: FailureDetails };

interface Context {
  readonly storeTitle: string;
  readonly credential: string;
  readonly version: string | null;
  /** Our own version is in review. */
  readonly isInReview: boolean;
  /** How many times in a row the store has said just this; once when absent. */
  readonly times?: number;
}

/** What is known of a target when a failure is judged. */
export const failureContext = (
  { store, pinned, release }: Pick<TargetContext<KnownTarget>, 'store' | 'pinned' | 'release'>,
  credential: string,
): Context => ({
  storeTitle: store.title,
  credential,
  version: pinned?.storeVersion ?? null,
  isInReview: release?.state === 'in_review',
});

/** A failure that the store does not explain is tried again until it has come so many times in a row; then a person is told. */
const UNEXPLAINED_TIMES = 3;

/** Whether a failure that has come so many times in a row is for a person, though the store only fails. Pure. */
export const isForPerson = ({ details }: Pick<Failure, 'details'>, times: number): boolean =>
  details?.isUnexplained === true && times >= UNEXPLAINED_TIMES;

/** Decides, by the class that the adapter gave a failure, what follows from it. Pure. A `done` is no failure and never comes here. */
export function effectOf(failure: Failure, context: Context): FailureEffect {
  const { storeTitle, version, isInReview, times = 1 } = context;
  const { kind, message: words, details: { throttles, retryAt } = {} } = failure;
  const resting = { phase: isInReview ? 'in_review' : 'queued', isFailure: false, release: null } as const;
  if (throttles !== undefined && retryAt !== undefined)
    return { ...resting, message: `${noMore(throttles, retryAt, storeTitle)}: ${words}` };
  switch (kind) {
    case 'credential':
      return {
        phase: 'action_required',
        message: ofCredential(failure, context),
        isFailure: true,
        release: null,
      };
    case 'config':
      return {
        phase: 'action_required',
        message: `${storeTitle} needs a person: ${words}`,
        isFailure: true,
        release: null,
      };
    case 'artifact':
      return {
        phase: 'rejected',
        message: `${storeTitle} does not take ${version === null ? 'this package' : `version ${version}`}: ${words} Push a newer version.`,
        isFailure: true,
        release: 'failed',
      };
    case 'wait':
      return { ...resting, message: `${storeTitle} wants patience: ${words}` };
    case 'retry':
    case 'done':
      if (isForPerson(failure, times))
        return {
          phase: 'action_required',
          message: `${storeTitle} failed three times in a row: ${words} Look at its dashboard, or ask its support. Pierhead tries again once a day.`,
          isFailure: true,
          release: null,
        };
      return {
        phase: 'backing_off',
        message: `${storeTitle} could not be worked with: ${words} It is tried again${retryAt === undefined ? '' : ` after ${retryAt.toISOString()}, the time that the store named`}.`,
        isFailure: true,
        release: null,
      };
  }
}

/** A credential that Pierhead itself cannot open was refused by nobody. */
const ofCredential = ({ message, details }: Failure, { storeTitle, credential }: Context): string =>
  details?.isSealed === true
    ? `Pierhead could not ask the store: it can no longer open its secrets of the credential ${credential}. ${message} Have the key restored, or rotate the credential, and the target goes on by itself.`
    : `${storeTitle} refused the credential ${credential}: ${message} Rotate it, and the target goes on by itself.`;

/**
 * Whether a target goes on showing where a refusal left it while the store is asked again: what is planned is not what became of it. Enabled
 * anew it shows what is done, but is not live before the store has taken the step. Pure.
 */
export const keepsShowing = (refusal: Refusal | null, shown: Phase, planned: Phase): boolean =>
  refusal !== null && (shown !== 'idle' || planned === 'live');
