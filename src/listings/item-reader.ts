import type { Capabilities, Store, StoreItem } from '../stores/index.js';
import type { TargetEntity } from '../targets/index.js';
import type { ListingReadingEntity } from './listing-reading.entity.js';

/** An item that is to be read now, and how its last reading went. */
export interface AskedItem {
  readonly target: TargetEntity;
  readonly store: Store;
  readonly secrets: object;
  readonly item: StoreItem;
  readonly reading: ListingReadingEntity;
  readonly startedAt: Date;
}

/** Reads one kind of thing at stores. */
export interface ItemReader {
  /** How many calls of the credential's budget a reading takes; 0 where the store does not tell it. */
  callsAt(capabilities: Capabilities): number;

  /**
   * Asks the store, outside of any transaction.
   * @returns what to write, inside the transaction that ends the reading; null when the store did not tell it
   */
  read(asked: AskedItem): Promise<(() => Promise<void>) | null>;
}
