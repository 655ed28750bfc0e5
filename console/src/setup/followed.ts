import type { Schemas } from '../api';

type Extension = Schemas['OverviewExtension'];
type Target = Schemas['OverviewTarget'];

/** Whether the extension goes there. */
export const isUsed = ({ phase }: Target): boolean => phase !== 'disabled';
/** Nothing is missing, not even the key. */
export const isComplete = (target: Target): boolean => isUsed(target) && target.phase !== 'incomplete';
/** The version that was pushed, and goes to a store. */
export const pushedTo = ({ targets }: Extension): string | null =>
  targets.find(({ desiredVersion }) => desiredVersion !== null)?.desiredVersion ?? null;

const distance = (extension: Extension): number =>
  Number(extension.targets.some(isUsed)) + 2 * Number(pushedTo(extension) !== null);

/** The extension that is furthest on its way, the newest of several; the one that is named, if it is there. */
export const followed = (extensions: readonly Extension[], named: string | null): Extension | undefined =>
  extensions.find(({ id }) => id === named) ??
  extensions.reduce<Extension | undefined>(
    (best, one) => (best === undefined || distance(one) > distance(best) ? one : best),
    undefined,
  );
