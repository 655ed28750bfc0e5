import type { StoreId } from '../stores/index.js';

/** Finds the version to pin for a new target. The folder that keeps pins provides it. */
export abstract class PinnedVersions {
  /** The number of the version that is pinned for a store, as that store has it; null without a pin. */
  abstract storeVersionFor(extensionId: string, store: StoreId): Promise<string | null>;
}
