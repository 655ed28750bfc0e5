import type { Capabilities } from '../../stores/pure.js';
import type { ReleaseState } from './release-state.js';

/** Ways on after a rejection: push a mended package, submit this one again, or have the target rest at the one that is live. */
export const WAYS_ON = ['push', 'resubmit', 'take_back'] as const;
export type WayOn = (typeof WAYS_ON)[number];

/** Facts on which the ways on depend. */
export interface RejectedVersion {
  readonly state: ReleaseState;
  readonly capabilities: Pick<Capabilities, 'resubmission'>;
  /** It is the version that the target is driven to, and the target is enabled. */
  readonly isPinned: boolean;
  /** The package of another version, which is live, was pushed to Pierhead. */
  readonly hasLive: boolean;
}

/** Whether a store has refused a version, in review or before it. Pure. */
export const isRejected = (state: ReleaseState): boolean => state === 'rejected' || state === 'failed';

/** The ways on from a rejected version; none once another one is pinned. Pure. */
export function waysOn({ state, capabilities, isPinned, hasLive }: RejectedVersion): readonly WayOn[] {
  if (!isPinned || !isRejected(state)) return [];
  return [
    'push',
    // A package that the store refused would be refused again; in review it may have been the listing.
    ...(state === 'rejected' && capabilities.resubmission ? (['resubmit'] as const) : []),
    ...(hasLive ? (['take_back'] as const) : []),
  ];
}
