import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import type { Store, StoreItem } from '../../src/stores/index.js';

/** Someone at a store who may publish. */
export interface Owner {
  readonly credentials: object;
  /** What of the credentials must never be seen. */
  readonly secrets: readonly string[];
}

/** What an item is to be like when a test begins. */
export interface ItemWish {
  readonly live?: string;
  /** A version that a person sent to review. */
  readonly inReview?: string;
}

/** What was done to an item at the store, however often it was asked for. */
export interface Effects {
  readonly writes: number;
  readonly submissions: number;
}

/** The calls that any store has, whatever it names them. */
export type Call = 'authenticate' | 'observe' | 'upload' | 'submit';

/** A store with its stand-in, as the contract needs it. */
export interface StoreBench {
  readonly store: Store;
  /** The call by which the store refuses a version that is too low; the upload unless it says otherwise. */
  readonly judgesVersionsAt?: 'upload' | 'submit';
  owner(): Promise<Owner>;
  item(owner: Owner, wish: ItemWish): Promise<StoreItem>;
  packageOf(version: string): Promise<Buffer>;
  /** Brings a version to the store by the way that is not ours, where the store takes no packages from us. */
  deliver?(item: StoreItem, version: string): Promise<void>;
  /** The store ceases to take the owner's credentials. */
  revoke(owner: Owner): Promise<void>;
  decide(item: StoreItem, verdict: 'approve' | 'reject' | 'cancel' | 'takedown'): Promise<void>;
  effects(item: StoreItem): Promise<Effects>;
  /** Something goes wrong with the next such call about the item. */
  fault(
    owner: Owner,
    item: StoreItem,
    call: Call,
    fault: Omit<FaultOptions, 'match' | 'itemId' | 'publisherId'>,
  ): Promise<void>;
  /** A status of the item in words that no document of the store knows. */
  unheardOf(owner: Owner, item: StoreItem, version: string): object;
  close(): Promise<void>;
}
