import { compareVersions } from '../version.js';
import { StoreFailure } from '../store-failure.js';
import { highest, wasReleased, type SafariVersion } from './safari.states.js';

/** What a version's submission begins from. */
export type Standing =
  | { readonly isSubmitted: true; readonly note: string }
  | {
      readonly isSubmitted: false;
      /** The one editable version of the platform, adopted whatever its number; null when one has to be made. */
      readonly slot: SafariVersion | null;
      /** Something was on the store before; only then Apple takes a text "what is new" and a phased release. */
      readonly isUpdate: boolean;
    };

/** What it means that the version is at the store already and can be edited no more. */
const SUBMITTED: Readonly<Partial<Record<SafariVersion['state'], string>>> = {
  live: 'is live already',
  releasing: 'is being released already',
  approved: 'is approved already',
  in_review: 'is in review already',
};

const isEditable = ({ state }: SafariVersion): boolean =>
  state === 'draft' || state === 'rejected' || state === 'cancelled';

const isUnderWay = ({ state }: SafariVersion): boolean =>
  state === 'in_review' || state === 'approved' || state === 'releasing';

/**
 * Decides from a platform's versions how one of them can be sent (docs/stores.md#safari-rules). Pure.
 * @throws StoreFailure `artifact` for a version that is too low, `wait` while another one is under way, `config` where a person has to act
 */
export function standingOf(versions: readonly SafariVersion[], version: string): Standing {
  const own = versions.find((one) => compareVersions(one.version, version) === 0);
  const note = own && SUBMITTED[own.state];
  if (note !== undefined) return { isSubmitted: true, note: `Version ${version} ${note}.` };
  if (own?.state === 'unknown')
    throw new StoreFailure('wait', `Version ${version} is in a state that Pierhead does not know.`);
  const released = highest(versions.filter(wasReleased));
  if (released !== undefined && compareVersions(released.version, version) >= 0)
    throw new StoreFailure(
      'artifact',
      `Version ${released.version} has been on the App Store, so the version must be higher than that.`,
    );
  const other = versions.find(
    (one) =>
      isUnderWay(one) ||
      (one.state === 'unknown' && (released === undefined || compareVersions(one.version, released.version) > 0)),
  );
  if (other !== undefined)
    throw new StoreFailure(
      'wait',
      `Version ${other.version} is under way at the App Store, which takes one at a time.`,
    );
  const slot = highest(versions.filter(isEditable)) ?? null;
  // Renaming goes upward only: whoever prepares a higher version by hand must not find it turned into a lower one.
  if (slot !== null && compareVersions(slot.version, version) > 0)
    throw new StoreFailure(
      'config',
      `Version ${slot.version} is being prepared in App Store Connect, which is higher than ${version}. Delete it there, or push a version that is higher.`,
    );
  return { isSubmitted: false, slot, isUpdate: released !== undefined };
}
