import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import type { Store, StoreItem } from '../../src/stores/index.js';

/** An account that may publish. */
export interface Owner {
  readonly credentials: object;
  /** The parts of the credentials that must never be shown. */
  readonly secrets: readonly string[];
}

/** The state of an item when a test begins. */
export interface ItemOptions {
  readonly live?: string;
  /** A version that a person submitted for review. */
  readonly inReview?: string;
}

/** The changes of an item at the store, however often they were requested. */
export interface Effects {
  readonly writes: number;
  readonly submissions: number;
}

/** The calls that every store has, under whatever name. */
export type Call = 'authenticate' | 'observe' | 'upload' | 'submit';

/** An adapter and its stand-in, as the contract needs them. */
export interface StoreBench {
  readonly store: Store;
  /** The call that refuses a version that is too low; by default the upload. */
  readonly judgesVersionsAt?: 'upload' | 'submit';
  /** Its API does not say that an item was taken down. */
  readonly hidesTakedowns?: true;
  owner(): Promise<Owner>;
  item(owner: Owner, options: ItemOptions): Promise<StoreItem>;
  packageOf(version: string): Promise<Buffer>;
  /** The build in the package, where packages are signed, and not every version has one. */
  readonly buildNumber?: string;
  /** Delivers a version to a store to which Pierhead uploads no packages. */
  deliver?(item: StoreItem, version: string): Promise<void>;
  /** Revokes the owner's credentials. */
  revoke(owner: Owner): Promise<void>;
  decide(item: StoreItem, verdict: 'approve' | 'reject' | 'cancel' | 'takedown'): Promise<void>;
  effects(item: StoreItem): Promise<Effects>;
  /** Adds a fault to the next such call about the item. */
  fault(
    owner: Owner,
    item: StoreItem,
    call: Call,
    fault: Omit<FaultOptions, 'match' | 'itemId' | 'publisherId'>,
  ): Promise<void>;
  /** A status of the item with an undocumented value. */
  unheardOf(owner: Owner, item: StoreItem, version: string): object;
  close(): Promise<void>;
}
