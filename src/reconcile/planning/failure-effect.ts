import type { FailureDetails, StoreFailure } from '../../stores/index.js';
import type { TargetWithStatus, Phase } from '../../targets/index.js';
import type { Refusal, ReleaseState, StepName } from '../releases/pure.js';
import type { TargetContext } from './context.js';
import { throttleSentence } from './plan.js';

/** Effect of a store's failure on the target and its release. */
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
  /** The store holds nothing under the number of the version that it refused. */
  readonly isNumberFree?: boolean;
  /** Number of times in a row that the store has given this answer; once when absent. */
  readonly times?: number;
}

/** Collects the facts on which the effect of a failure depends. Pure. */
export const failureContext = (
  { store, pinned, release }: Pick<TargetContext<TargetWithStatus>, 'store' | 'pinned' | 'release'>,
  credential: string,
): Context => ({
  storeTitle: store.title,
  credential,
  version: pinned?.storeVersion ?? null,
  isInReview: release?.state === 'in_review',
});

/** A step that fails without an explanation is tried this many times; then a person has to act. */
const UNEXPLAINED_TIMES = 3;

/** Whether a person has to act on a failure that was repeated so many times, though the store only fails. Pure. */
export const isForPerson = ({ details }: Pick<Failure, 'details'>, times: number): boolean =>
  details?.isUnexplained === true && times >= UNEXPLAINED_TIMES;

/** Decides what follows from a failure, by the kind that the adapter gave it. A `done` is no failure and never gets here. Pure. */
export function effectOf(failure: Failure, context: Context): FailureEffect {
  const { storeTitle, isInReview, times = 1 } = context;
  const { kind, message: words, details: { throttles, retryAt } = {} } = failure;
  const waiting = { phase: isInReview ? 'in_review' : 'queued', isFailure: false, release: null } as const;
  const needsPerson = { phase: 'action_required', isFailure: true, release: null } as const;
  if (throttles !== undefined && retryAt !== undefined)
    return { ...waiting, message: `${throttleSentence(throttles, retryAt, storeTitle)}: ${words}` };
  switch (kind) {
    case 'credential':
      return { ...needsPerson, message: ofCredential(failure, context) };
    case 'config':
      return { ...needsPerson, message: `${storeTitle} needs a person: ${words}` };
    case 'artifact':
      return {
        phase: 'rejected',
        message: ofPackage(words, context),
        isFailure: true,
        release: 'failed',
      };
    case 'wait':
      return { ...waiting, message: `${storeTitle} asks Pierhead to wait: ${words}` };
    case 'retry':
    case 'done':
      if (isForPerson(failure, times))
        return {
          ...needsPerson,
          message: `${storeTitle} failed three times in a row: ${words} Check its dashboard, or contact its support. Pierhead tries again once a day.`,
        };
      return {
        phase: 'backing_off',
        message: `${storeTitle} failed: ${words} Pierhead tries again${retryAt === undefined ? '' : ` after ${retryAt.toISOString()}, the time that the store named`}.`,
        isFailure: true,
        release: null,
      };
  }
}

const ofPackage = (words: string, { storeTitle, version, isNumberFree }: Context): string =>
  `${storeTitle} does not accept ${version === null ? 'this package' : `version ${version}`}: ${words} ${
    isNumberFree === true ? 'Push the mended package; its number is still free.' : 'Push a newer version.'
  }`;

/**
 * Whether a store that refused a package holds nothing under its number: a version exists only once it was submitted, and what was uploaded is
 * replaced by the next upload; the Chrome Web Store takes nothing of a package that should have been signed. At AMO an upload that fails creates no version (https://github.com/mozilla/addons-server/issues/996). Pure.
 * @param mayBeSubmitted an earlier submission was not clearly answered
 */
export const leavesNumberFree = ({ kind, details }: Failure, step: StepName, mayBeSubmitted: boolean): boolean =>
  step !== 'rollback' &&
  (kind === 'artifact' || details?.needsSignature === true) &&
  details?.isNumberSpent !== true &&
  !mayBeSubmitted;

/** Whether a store refused what is in a package, and not its number. Pure. */
export const isOfPackage = ({ kind, details }: Failure, step: StepName): boolean =>
  kind === 'artifact' && (step === 'upload' || step === 'poll') && details?.isNumberSpent !== true;

/** The store did not refuse a credential that Pierhead itself cannot decrypt. */
const ofCredential = ({ message, details }: Failure, { storeTitle, credential }: Context): string =>
  details?.isSealed === true
    ? `Pierhead cannot ask the store: it can no longer decrypt the secrets of the credential ${credential}. ${message} Restore the key or rotate the credential, and the target continues automatically.`
    : `${storeTitle} refused the credential ${credential}: ${message} Rotate it, and the target continues automatically.`;

/**
 * Whether a target keeps showing the phase of a refusal while the store is asked again: the outcome is still open. A target that was enabled
 * again shows the planned phase, but is not live before the store has accepted the step. Pure.
 */
export const keepsRefusal = (refusal: Refusal | null, shown: Phase, planned: Phase): boolean =>
  refusal !== null && (shown !== 'idle' || planned === 'live');
