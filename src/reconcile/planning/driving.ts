// The rules that send a version to its store, once no other rule applies.
import type { Observed } from '../../stores/index.js';
import { nextStep, type NextStep } from './plan.js';
import { isBeforeSubmission } from '../releases/pure.js';
import { MINUTE_MS } from '../../common/system/index.js';
import { ageOf, type Rule } from './situation.js';

/** An asynchronous upload that the store has not shown for this long counts as lost. */
const UPLOAD_LOST_MS = 10 * MINUTE_MS;
/** Someone may have replaced a shared draft that is older than this, so it is uploaded again before it is submitted. */
const DRAFT_TRUSTED_MS = 30 * MINUTE_MS;

const submitBuild = (desired: string): NextStep =>
  nextStep('submit', 'submitting', `Version ${desired} is pinned; the store has its own build.`);

const upload = (because: string): NextStep => nextStep('upload', 'uploading', because);

/**
 * An earlier attempt may have arrived; a store accepts a number only once, so another attempt is safe. A package that was uploaded under
 * that number is not submitted.
 */
export const rollBack: Rule = ({ state, desired, rollbackOf }) =>
  rollbackOf !== null && (isBeforeSubmission(state) || state === 'superseded')
    ? nextStep('rollback', 'releasing', `Version ${desired} is pinned to bring back ${rollbackOf}.`)
    : null;

/** The uploaded content is not the pinned one, and was not submitted. */
export const uploadInstead: Rule = ({ state, release, desired }) =>
  release?.isOtherContent === true && isBeforeSubmission(state)
    ? upload(`The content pinned for version ${desired} is not what was uploaded.`)
    : null;

/**
 * The answer to the submission was lost long ago, and this store does not show submissions: the version may be in review, refused or live.
 * Only a person can tell whether to submit it again.
 */
export const lostSubmission: Rule = ({
  state,
  release,
  desired,
  capabilities,
  isSubmissionKnown,
  wasReenabled,
  now,
}) => {
  if (release === null || !release.submittedByPierhead || state !== 'submitting') return null;
  if (capabilities.canReadInReview || isSubmissionKnown || ageOf(release, now) <= DRAFT_TRUSTED_MS) return null;
  return wasReenabled
    ? upload(`The target was enabled again to submit version ${desired} again.`)
    : nextStep(
        'ask_human',
        'action_required',
        `Version ${desired} is presumed submitted: the answer was lost, and this store does not show submissions. Check its dashboard, and resubmit the version if it is not there.`,
      );
};

/** The next step of a release. */
export const drive: Rule = ({ state, release, desired, capabilities, hasApp, observed, now }) => {
  const isUploaded = capabilities.requiresArtifact || hasApp;
  const age = release === null ? 0 : ageOf(release, now);
  switch (state) {
    case 'queued':
    case 'superseded':
      return isUploaded
        ? upload(`Version ${desired} is pinned, and the store does not have it.`)
        : submitBuild(desired);
    case 'uploading':
      return upload(`The upload of version ${desired} may not have arrived; uploading it again is safe.`);
    case 'processing':
      return processing(desired, observed, age);
    case 'submitting':
      if (isUploaded && capabilities.sharedDraft && age > DRAFT_TRUSTED_MS)
        return upload(`The draft at the store may have changed since version ${desired} was uploaded.`);
      if (isUploaded && !capabilities.sharedDraft && isGone(observed))
        return upload(`The store no longer has the upload of version ${desired}.`);
      return isUploaded
        ? nextStep('submit', 'submitting', `Version ${desired} is uploaded and not yet submitted.`)
        : submitBuild(desired);
    default:
      return null;
  }
};

/** The store no longer has an upload that it keeps under an id for some days. */
const isGone = ({ upload: seen }: Observed): boolean => seen.known && seen.value === 'none';

function processing(desired: string, { upload: seen }: Observed, age: number): NextStep {
  if (seen.known && seen.value === 'none' && age > UPLOAD_LOST_MS)
    return upload(`The store no longer shows the upload of version ${desired}.`);
  const because =
    seen.known && seen.value === 'failed'
      ? `The upload of version ${desired} failed at the store; Pierhead asks it why.`
      : `The store is processing the upload of version ${desired}.`;
  return nextStep('poll', 'validating', because);
}
