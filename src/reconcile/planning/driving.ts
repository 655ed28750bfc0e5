// The rules that send a version to its store, once no other rule has anything to say about it.
import type { Observed } from '../../stores/index.js';
import { answer, type Plan } from './plan.js';
import { isOnItsWay } from './release-state.js';
import { MINUTE_MS } from '../../common/system/index.js';
import { ageOf, type Rule } from './situation.js';

/** An asynchronous upload of which the store says nothing for so long is lost. */
const UPLOAD_LOST_MS = 10 * MINUTE_MS;
/** A shared draft older than this may have been replaced by somebody, so it is sent again before it is submitted. */
const DRAFT_TRUSTED_MS = 30 * MINUTE_MS;

const submitBuild = (desired: string): Plan =>
  answer('submit', 'submitting', `Version ${desired} is pinned, and the store brings its own build.`, null);

const upload = (because: string): Plan => answer('upload', 'uploading', because, null);

/**
 * Whether an earlier try arrived is not known; a store takes a number only once, so trying again is safe. A package of that number, which
 * was on its way before, goes no further.
 */
export const rollBack: Rule = ({ state, desired, rollbackOf }) =>
  rollbackOf !== null && (isOnItsWay(state) || state === 'superseded')
    ? answer('rollback', 'releasing', `Version ${desired} is pinned to bring ${rollbackOf} back.`, null)
    : null;

/** What was uploaded is not what is pinned now, and nobody was asked to review it. */
export const uploadInstead: Rule = ({ state, release, desired }) =>
  release?.isOtherContent === true && isOnItsWay(state)
    ? upload(`Other content is pinned for version ${desired} than was uploaded.`)
    : null;

/**
 * The answer to the submission was lost long ago, and this store tells of none: it may be in review, refused or live. Sent again it might be
 * what was refused, so that only a person can say.
 */
export const unheard: Rule = ({ state, release, desired, capabilities, isSubmissionKnown, isEnabledAnew, now }) => {
  if (release === null || !release.isOurs || state !== 'submitting') return null;
  if (capabilities.canReadInReview || isSubmissionKnown || ageOf(release, now) <= DRAFT_TRUSTED_MS) return null;
  return isEnabledAnew
    ? upload(`The target was enabled anew to send version ${desired} again.`)
    : answer(
        'ask_human',
        'action_required',
        `Version ${desired} is presumed submitted: the answer was lost, and this store does not tell. Look at its dashboard; if the version is not there, disable and enable the target to send it again.`,
        null,
      );
};

/** One step on from where the release stands. */
export const drive: Rule = ({ state, release, desired, capabilities, observed, now }) => {
  const age = release === null ? 0 : ageOf(release, now);
  switch (state) {
    case 'queued':
    case 'superseded':
      return capabilities.requiresArtifact
        ? upload(`Version ${desired} is pinned, and the store does not have it.`)
        : submitBuild(desired);
    case 'uploading':
      return upload(`Whether the upload of version ${desired} arrived is not known; sending it again is safe.`);
    case 'processing':
      return processing(desired, observed, age);
    case 'submitting':
      if (capabilities.requiresArtifact && capabilities.sharedDraft && age > DRAFT_TRUSTED_MS)
        return upload(`The draft at the store may have changed since version ${desired} was uploaded.`);
      if (capabilities.requiresArtifact && !capabilities.sharedDraft && isGone(observed))
        return upload(`The store no longer has the upload of version ${desired}.`);
      return capabilities.requiresArtifact
        ? answer('submit', 'submitting', `Version ${desired} is uploaded and not yet submitted.`, null)
        : submitBuild(desired);
    default:
      return null;
  }
};

/** An upload under an id of its own, which the store keeps for some days, is not there any more. */
const isGone = ({ upload: seen }: Observed): boolean => seen.known && seen.value === 'none';

function processing(desired: string, { upload: seen }: Observed, age: number): Plan {
  if (seen.known && seen.value === 'none' && age > UPLOAD_LOST_MS)
    return upload(`The store says nothing of the upload of version ${desired} any more.`);
  const because =
    seen.known && seen.value === 'failed'
      ? `The upload of version ${desired} has failed at the store, which is asked why.`
      : `The store is working on the upload of version ${desired}.`;
  return answer('poll', 'validating', because, null);
}
