import { isId } from '../api/service.js';
import { EXIT, Failure, usageFailure } from '../failure.js';
import { chooseTarget, severalAt } from '../publishing/chosen.js';
import type { Target } from '../publishing/targets.js';
import { storeName, STORES, type StoreId } from '../stores.js';
import { list } from '../terminal/words.js';

/** What options, or pierhead.json, name. */
interface Named {
  readonly stores?: readonly StoreId[] | undefined;
  readonly target?: string | undefined;
}

/** Where a push goes. */
export interface Destination {
  /** Null for all that are enabled. */
  readonly stores: readonly StoreId[] | null;
  /** The one that is meant of several at its store; null where none is named. */
  readonly target: Pick<Target, 'id' | 'store'> | null;
}

/**
 * Finds out where a push goes; options win over pierhead.json. A target that is named alone is all that it goes to. Pure.
 * @param targets those of the extension; null where the token may not read them
 * @throws Failure for a target that there is not, or that is at a store that is not named; and where a store has several and none is named
 */
export function destinationOf(targets: readonly Target[] | null, options: Named, settings: Named): Destination {
  const stores = options.stores ?? (options.target === undefined ? settings.stores : undefined) ?? null;
  const wanted = options.target ?? settings.target;
  const target = wanted === undefined ? null : find(targets, wanted, stores);
  if (target === null) return withoutDoubt(targets, { stores, target });
  if (stores === null) return { stores: [target.store], target };
  if (stores.includes(target.store)) return withoutDoubt(targets, { stores, target });
  // What pierhead.json says of one store does not matter to a push for others.
  if (options.target === undefined && options.stores !== undefined)
    return withoutDoubt(targets, { stores, target: null });
  throw usageFailure(
    `The target is at ${storeName(target.store)}, and the push is for ${list(stores.map(storeName))}.`,
    'Name a target of these stores, or the target alone.',
  );
}

/** @throws Failure that names the targets of a store that has several enabled, of which none is meant */
function withoutDoubt(targets: readonly Target[] | null, destination: Destination): Destination {
  const { stores, target } = destination;
  const enabled = targets?.filter((one) => one.enabled) ?? [];
  for (const store of STORES) {
    const there = enabled.filter((one) => one.store === store);
    if ((stores?.includes(store) ?? true) && store !== target?.store && there.length > 1)
      throw severalAt(store, there, 'Name one with --target.');
  }
  return destination;
}

function find(
  targets: readonly Target[] | null,
  wanted: string,
  stores: readonly StoreId[] | null,
): Pick<Target, 'id' | 'store'> {
  if (targets !== null) return chooseTarget(targets, wanted);
  const [store, ...others] = stores ?? [];
  if (isId(wanted) && store !== undefined && others.length === 0) return { id: wanted, store };
  throw new Failure('This token cannot look up targets.', {
    exitCode: EXIT.notAllowed,
    hint: 'Name the target by its id, and its store with --store; or give the token the scope extensions:read.',
  });
}
