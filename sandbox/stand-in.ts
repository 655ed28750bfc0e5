import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Router } from 'express';
import type { Answer } from './answer.js';

/** The account and item that a request is about. In a store without publishers, `publisherId` is the account's id there. */
export interface Subject {
  readonly publisherId?: string | undefined;
  readonly itemId?: string | undefined;
}

/** A request to a store, its path already matched. */
export interface StoreCall {
  readonly method: string;
  readonly url: URL;
  /** The named groups of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The whole body on a route that buffers, empty on one that streams. */
  readonly body: Buffer;
  readonly stream: IncomingMessage;
}

/** One call of a store's API. */
export interface StoreRoute {
  /** Its name in faults and in the request log. */
  readonly operation: string;
  /** An HTTP method, or `*`. */
  readonly method: string;
  readonly path: RegExp;
  /** `stream` leaves the body unread, for packages that are too large for memory. */
  readonly body: 'buffer' | 'stream';
  /** Determined before faults are matched; by default the path's `publisherId` and `itemId`. */
  readonly subject?: (call: StoreCall) => Subject;
  /** The part of the body that the request log may contain; by default nothing. */
  readonly visibleBody?: (call: StoreCall) => unknown;
  readonly handle: (call: StoreCall) => Answer | Promise<Answer>;
}

/** An item as its developer sees it in the store's dashboard. */
export interface ListedItem {
  readonly id: string;
  readonly name: string;
  /** Where it is in the control plane, below `/__sim`. */
  readonly path: string;
  /** Named by actions on it, where an item has several platforms. */
  readonly platform?: string;
  readonly inReview: string | null;
  /** The newest first; states in the store's own words. */
  readonly versions: readonly { readonly version: string; readonly state: string }[];
  /** How long its reviews take; null when only the control plane ends them. */
  readonly approveAfterSeconds: number | null;
}

/** The stand-in of a store or a payment processor. */
export interface StandIn {
  readonly id: string;
  /** Tried in order. The last one answers all other paths of the store with the store's own 404. */
  readonly routes: readonly StoreRoute[];
  /** Mounted under `/__sim/<id>`. */
  readonly control: Router;
  /** The store's answer with a status, for faults without a body. */
  faultAnswer(operation: string, status: number): Answer;
  /** The account that owns an item, so that faults for an item also match calls that contain only credentials. */
  publisherOf(itemId: string): string | undefined;
  /** The items of a store; a payment processor has none. */
  items(): readonly ListedItem[];
  /** Creates what `POST /__sim/seed` contains under this id. */
  seed(body: unknown): Promise<unknown>;
  /** Creates one account with one item, as the command line prints them. */
  demo(): Promise<unknown>;
  /** The settings with which Pierhead uses the stand-in, by name. */
  env(origin: string): Readonly<Record<string, string>>;
  reset(): void;
}
