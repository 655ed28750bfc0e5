import { compareVersions } from '../version.js';
import { StoreFailure } from '../failures/index.js';
import { highest, wasReleased, type SafariVersion } from './safari.states.js';

/** Plan of a submission. */
export type SubmissionPlan =
  | { readonly isSubmitted: true; readonly note: string }
  | {
      readonly isSubmitted: false;
      /** The platform's one editable version, which is reused whatever its number; null when one must be created. */
      readonly slot: SafariVersion | null;
      /** An earlier version was on the store. Only then Apple accepts `whatsNew` and a phased release. */
      readonly isUpdate: boolean;
    };

/** States of a version that was already submitted. */
const SUBMITTED_NOTES: Readonly<Partial<Record<SafariVersion['state'], string>>> = {
  live: 'is already live',
  releasing: 'is already being released',
  approved: 'is already approved',
  in_review: 'is already in review',
};

const isEditable = ({ state }: SafariVersion): boolean =>
  state === 'draft' || state === 'rejected' || state === 'cancelled';

const isUnderWay = ({ state }: SafariVersion): boolean =>
  state === 'in_review' || state === 'approved' || state === 'releasing';

/**
 * @returns the highest version that is or was on the store
 * @throws StoreFailure `artifact` for a version that is not higher
 */
export function assertAboveReleased(versions: readonly SafariVersion[], version: string): SafariVersion | undefined {
  const released = highest(versions.filter(wasReleased));
  if (released !== undefined && compareVersions(released.version, version) >= 0)
    throw new StoreFailure(
      'artifact',
      `Version ${released.version} was already on the App Store, so the new version must be higher.`,
    );
  return released;
}

/**
 * Decides from the versions of a platform how to submit one (src/stores/README.md#safari-rules). Pure.
 * @throws StoreFailure `artifact` for a version that is too low, `wait` while another one is in progress, `config` when a person must act
 */
export function planSubmission(versions: readonly SafariVersion[], version: string): SubmissionPlan {
  const own = versions.find((one) => compareVersions(one.version, version) === 0);
  const note = own && SUBMITTED_NOTES[own.state];
  if (note !== undefined) return { isSubmitted: true, note: `Version ${version} ${note}.` };
  if (own?.state === 'unknown')
    throw new StoreFailure('wait', `Version ${version} is in a state that Apple does not document.`);
  const released = assertAboveReleased(versions, version);
  const other = versions.find(
    (one) =>
      isUnderWay(one) ||
      (one.state === 'unknown' && (released === undefined || compareVersions(one.version, released.version) > 0)),
  );
  if (other !== undefined)
    throw new StoreFailure(
      'wait',
      `Version ${other.version} is in progress at the App Store, which accepts one version at a time.`,
    );
  const slot = highest(versions.filter(isEditable)) ?? null;
  // A version that somebody prepares by hand must not be renamed to a lower number.
  if (slot !== null && compareVersions(slot.version, version) > 0)
    throw new StoreFailure(
      'config',
      `Version ${slot.version}, which is being prepared in App Store Connect, is higher than ${version}. Delete it there, or push a higher version.`,
    );
  return { isSubmitted: false, slot, isUpdate: released !== undefined };
}
