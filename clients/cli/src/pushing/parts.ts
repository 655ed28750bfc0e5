import type { StoreId } from '../stores.js';

/** One request of a push: a package, and the store it is for. */
export interface Part {
  /** Zip or folder; null where the store needs none, since Xcode delivers the build. */
  readonly path: string | null;
  /** Null for every target of the extension. */
  readonly store: StoreId | null;
}

/** Facts that are known before a push is divided. */
interface Pushed {
  /** The package of a store; null where the build has none for it. */
  readonly packageOf: (store: StoreId) => string | null;
  /** The stores to push to. */
  readonly stores: readonly StoreId[];
  /** Whether these are all stores that the extension is published at. */
  readonly isEverywhere: boolean;
  /** Stores that need no package. */
  readonly withoutPackage: readonly StoreId[];
}

/** Parts of a push that cannot be done. */
export interface Unpackaged {
  readonly unpackaged: readonly StoreId[];
}

/**
 * Parts a push into requests: one for all stores where they get the same package, otherwise one each, in the order of the stores.
 * @returns the stores for which there is no package, when there are such
 */
export function partsOf({ packageOf, stores, isEverywhere, withoutPackage }: Pushed): readonly Part[] | Unpackaged {
  const parts = stores.map((store) => ({ store, path: packageOf(store) }));
  const unpackaged = parts.filter(({ store, path }) => path === null && !withoutPackage.includes(store));
  if (unpackaged.length > 0) return { unpackaged: unpackaged.map(({ store }) => store) };
  const packaged = new Set(parts.flatMap(({ path }) => path ?? []));
  const [only] = packaged;
  const isOne = packaged.size === 1 && only !== undefined;
  return isEverywhere && isOne && parts.every(({ path }) => path !== null) ? [{ path: only, store: null }] : parts;
}
