import type { Capabilities, Store, StoreFailure, StoreItem } from '../stores/index.js';
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

/** What a store answered to a reading. */
export interface ItemAnswer {
  /** Runs inside the transaction that ends the reading; null where the store told nothing. */
  readonly write: (() => Promise<void>) | null;
  /** Of the parts that could not be read. */
  readonly failures: readonly StoreFailure[];
}

/** Reads one kind of thing at stores. */
export interface ItemReader {
  /** How long after a reading the next one follows; a failure may name another time. */
  readonly everyMs: number;

  /** How many calls of the credential's budget a reading takes; 0 where the store does not tell it, or the target does not want it. */
  callsAt(capabilities: Capabilities, target: TargetEntity): number;

  /** Asks the store, outside of any transaction. */
  read(asked: AskedItem): Promise<ItemAnswer>;
}
