import { STORES as DESCRIBED } from './api/catalog.js';

export type StoreId = (typeof DESCRIBED)[number]['id'];

/** The stores, in display order. */
export const STORES: readonly StoreId[] = DESCRIBED.map(({ id }) => id);

/** Name of a store for people. */
export const storeName = (store: StoreId): string => DESCRIBED.find(({ id }) => id === store)?.name ?? store;

/** The stores with a capability. */
export const storesThat = (capability: keyof (typeof DESCRIBED)[number]['capabilities']): readonly StoreId[] =>
  DESCRIBED.filter(({ capabilities }) => capabilities[capability]).map(({ id }) => id);

/** The channels of a store, the usual one first; none where it has only one. */
export const storeChannels = (store: StoreId): readonly string[] =>
  DESCRIBED.find(({ id }) => id === store)?.channels ?? [];

/** A store by its id, or by one of the names that people give it; undefined for none. */
export function storeCalled(text: string): StoreId | undefined {
  const called = text.trim().toLowerCase();
  const namesOf = ({ id, name, title, aliases }: (typeof DESCRIBED)[number]): readonly string[] => [
    id,
    name.toLowerCase(),
    title.toLowerCase(),
    ...aliases,
  ];
  return DESCRIBED.find((store) => namesOf(store).includes(called))?.id;
}
