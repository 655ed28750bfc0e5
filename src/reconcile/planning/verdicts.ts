import type { StoreFailure } from '../../stores/index.js';
import type { Phase } from '../../targets/index.js';
import type { Refusal } from '../releases/release.entity.js';
import type { ReleaseState } from './release-state.js';

/** What a failure at the store makes of the target and of the release that was on its way. */
export interface Verdict {
  readonly phase: Phase;
  readonly message: string;
  /** The failure counts towards backing off. */
  readonly isFailure: boolean;
  /** The state that the release ends in; null when it stays as it is. */
  readonly release: ReleaseState | null;
}

interface Context {
  readonly storeTitle: string;
  readonly credential: string;
  readonly version: string | null;
  /** Our own version is in review. */
  readonly isInReview: boolean;
}

/** Decides, by the class that the adapter gave a failure, what follows from it. Pure. A `done` is no failure and never comes here. */
export function judge(failure: Pick<StoreFailure, 'kind' | 'message'>, context: Context): Verdict {
  const { storeTitle, credential, version, isInReview } = context;
  const words = failure.message;
  switch (failure.kind) {
    case 'credential':
      return {
        phase: 'action_required',
        message: `${storeTitle} refused the credential ${credential}: ${words} Rotate it, and the target goes on by itself.`,
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
      return {
        phase: isInReview ? 'in_review' : 'queued',
        message: `${storeTitle} wants patience: ${words}`,
        isFailure: false,
        release: null,
      };
    case 'retry':
    case 'done':
      return {
        phase: 'backing_off',
        message: `${storeTitle} could not be worked with: ${words} It is tried again.`,
        isFailure: true,
        release: null,
      };
  }
}

/**
 * Whether a target goes on showing where a refusal left it while the store is asked again: what is planned is not what became of it. Enabled
 * anew it shows what is done, but is not live before the store has taken the step. Pure.
 */
export const keepsShowing = (refusal: Refusal | null, shown: Phase, planned: Phase): boolean =>
  refusal !== null && (shown !== 'idle' || planned === 'live');
