import { compareVersions, type Store } from '../../stores/pure.js';
import type { TargetWithStatus } from './target-status.entity.js';

/** The shares that are proposed, in percent. */
const SHARES: readonly number[] = [10, 25, 50, 100];
const ALL = 100;

/** A version that a store offers to a share of the users. */
export interface RolloutState {
  readonly version: string;
  /** Percentage of users, as the store answered. */
  readonly percent: number;
  /** Percentage that Pierhead is about to ask the store for; null for none. */
  readonly asked: number | null;
  /** The users that the store last counted; null when not known. */
  readonly users: number | null;
  readonly since: Date | null;
  /** Larger shares that can be asked for now, in percent. */
  readonly steps: readonly number[];
  /** Any larger share is accepted, not the steps alone. */
  readonly anyPercent: boolean;
  readonly canHalt: boolean;
  readonly canRollBack: boolean;
  /** What the buttons do not show: why the share cannot be raised now, or that it rises by itself. */
  readonly note: string | null;
}

/** Facts of a target that its rollout depends on. */
export type RolloutFacts = Pick<TargetWithStatus, 'rolloutPercent' | 'paused'> &
  Pick<
    TargetWithStatus['status'],
    'liveVersion' | 'desiredVersion' | 'offeredPercent' | 'offeredSince' | 'liveByPierhead'
  > & { readonly users: number | null };

type RolloutStore = Pick<Store, 'title'> & {
  readonly capabilities: Pick<Store['capabilities'], 'rolloutAboveUsers' | 'widensByItself' | 'rollback'>;
};

/** The rollout of a target; null where nothing is offered to a share of the users. Pure. */
export function rolloutOf(facts: RolloutFacts, store: RolloutStore): RolloutState | null {
  const { liveVersion, offeredPercent, offeredSince, rolloutPercent, paused, users } = facts;
  if (liveVersion === null || offeredPercent === null) return null;
  const { widensByItself, rollback } = store.capabilities;
  const wanted = rolloutPercent ?? ALL;
  const fixed = unraisable(facts);
  const isOwn = fixed === null;
  const asked = isOwn && wanted > offeredPercent && (!widensByItself || wanted === ALL) ? wanted : null;
  const hindrance = fixed ?? (paused ? 'While it is paused, Pierhead raises no share.' : tooFew(users, store));
  const shares = widensByItself ? [ALL] : SHARES;
  const steps = hindrance === null ? shares.filter((share) => share > (asked ?? offeredPercent)) : [];
  const course = `${store.title} raises the share by itself, and only its dashboard can pause that.`;
  return {
    version: liveVersion,
    percent: offeredPercent,
    asked,
    users,
    since: offeredSince,
    steps,
    anyPercent: steps.length > 0 && !widensByItself,
    canHalt: isOwn && !paused && !widensByItself,
    canRollBack: rollback,
    note: widensByItself ? course : hindrance,
  };
}

/** Why Pierhead never raises the share of this version; null where it may. */
function unraisable({ liveVersion, desiredVersion, liveByPierhead }: RolloutFacts): string | null {
  if (liveVersion === null || desiredVersion === null || compareVersions(liveVersion, desiredVersion) !== 0)
    return desiredVersion === null
      ? 'No version is pinned, so Pierhead raises no share.'
      : `Version ${desiredVersion} is pinned, so Pierhead raises no share of ${liveVersion}.`;
  return liveByPierhead ? null : 'It was published in the dashboard, so its share can only be raised there.';
}

/** Items with few users keep their share; an unknown number is left to the store. */
function tooFew(
  users: number | null,
  { title, capabilities: { rolloutAboveUsers: least } }: RolloutStore,
): string | null {
  return users === null || least === null || users > least
    ? null
    : `${title} raises the share of items with more than ${least.toLocaleString('en-US')} weekly users alone.`;
}
