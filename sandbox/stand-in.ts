import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Router } from 'express';
import type { Answer } from './answer.js';

/** Whom a request is about. In a store without publishers, `publisherId` is whatever names the account there. */
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
  /** The name by which faults and the request log speak of it. */
  readonly operation: string;
  /** An HTTP method, or `*`. */
  readonly method: string;
  readonly path: RegExp;
  /** `stream` leaves the body on the socket, for packages too large to hold. */
  readonly body: 'buffer' | 'stream';
  /** Told before faults are looked up; by default the path's `publisherId` and `itemId`. */
  readonly subject?: (call: StoreCall) => Subject;
  /** What of the body may be shown in the request log; by default nothing. */
  readonly visibleBody?: (call: StoreCall) => unknown;
  readonly handle: (call: StoreCall) => Answer | Promise<Answer>;
}

/** One store (or payment processor) that the sandbox stands in for. Adding one is adding a folder that makes one of these. */
export interface StandIn {
  readonly id: string;
  /** Tried in order; a stand-in ends its list with a route for the rest of its paths, worded as that store words "no such page". */
  readonly routes: readonly StoreRoute[];
  /** Mounted under `/__sim/<id>`. */
  readonly control: Router;
  /** The body this store gives with a status when a fault names none. */
  faultAnswer(operation: string, status: number): Answer;
  /** The account that owns an item, so that a fault named by item can hit calls that carry only credentials. */
  publisherOf(itemId: string): string | undefined;
  /** Makes what `POST /__sim/seed` holds under this store's name. */
  seed(body: unknown): Promise<unknown>;
  /** Makes one account with one item, as the command line prints them. */
  demo(): Promise<unknown>;
  /** The configuration that sends a client here, as `NAME` to value. */
  env(origin: string): Readonly<Record<string, string>>;
  reset(): void;
}
