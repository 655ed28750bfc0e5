import { randomUUID } from 'node:crypto';
import type { Subject } from './stand-in.js';

/** What goes wrong. */
export type FaultEffect =
  /** Answers without acting; without a body, the store's own wording of the status. */
  | { readonly kind: 'status'; readonly status: number; readonly reply: FaultReply }
  /** Waits and then acts. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Acts and then waits before answering: a client that gives up has changed the store all the same. */
  | { readonly kind: 'delay-after'; readonly ms: number }
  /** Closes the connection without acting. */
  | { readonly kind: 'drop-before' }
  /** Acts and then closes the connection without an answer. */
  | { readonly kind: 'drop-after' }
  /** Acts and then answers something else. */
  | { readonly kind: 'status-after'; readonly status: number; readonly reply: FaultReply }
  /** Answers 200 with a body of the tester's choice, without acting. */
  | { readonly kind: 'body'; readonly reply: FaultReply }
  /** Answers 200 with this many megabytes of JSON, without acting. */
  | { readonly kind: 'huge-body'; readonly megabytes: number };

/** The name of a fault. */
export type FaultKind = FaultEffect['kind'];

/** The parts of an answer that a fault may choose. */
export interface FaultReply {
  readonly headers: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON; `undefined` leaves it to the store. */
  readonly body?: unknown;
}

/** Which requests a fault hits; what is left out matches everything. */
export interface FaultTarget {
  readonly store?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly itemId?: string | undefined;
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** A part of the path. */
  readonly path?: string | undefined;
  readonly pathRegex?: RegExp | undefined;
}

/** A fault as it is asked for. */
export interface FaultOrder {
  readonly target: FaultTarget;
  readonly effect: FaultEffect;
  /** Matching requests that pass unharmed first. */
  readonly skip: number;
  /** Requests it then hits; `null` is "until it is cleared". */
  readonly times: number | null;
}

/** A fault in the book, with what is left of it. */
export interface Fault extends FaultOrder {
  readonly id: string;
  skipLeft: number;
  timesLeft: number | null;
  hits: number;
}

/** The request a fault is looked up for. */
export interface FaultCandidate extends Subject {
  readonly store: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

/** Whether a fault is meant for a request. */
export function isHit(target: FaultTarget, candidate: FaultCandidate): boolean {
  return (
    (target.store === undefined || target.store === candidate.store) &&
    (target.publisherId === undefined || target.publisherId === candidate.publisherId) &&
    (target.itemId === undefined || target.itemId === candidate.itemId) &&
    (target.operation === undefined || target.operation === candidate.operation) &&
    (target.method === undefined || target.method.toUpperCase() === candidate.method) &&
    (target.path === undefined || candidate.path.includes(target.path)) &&
    (target.pathRegex === undefined || target.pathRegex.test(candidate.path))
  );
}

/** The faults that are still to happen, oldest first. */
export class FaultBook {
  private readonly faults = new Map<string, Fault>();

  add(order: FaultOrder): Fault {
    const fault: Fault = { ...order, id: randomUUID(), skipLeft: order.skip, timesLeft: order.times, hits: 0 };
    this.faults.set(fault.id, fault);
    return fault;
  }

  /** The effect for this request, used up by one; at most one fault hits a request. */
  take(candidate: FaultCandidate): FaultEffect | null {
    for (const fault of this.faults.values()) {
      if (fault.timesLeft === 0 || !isHit(fault.target, candidate)) continue;
      if (fault.skipLeft > 0) {
        fault.skipLeft -= 1;
        continue;
      }
      fault.hits += 1;
      if (fault.timesLeft !== null) fault.timesLeft -= 1;
      return fault.effect;
    }
    return null;
  }

  /** Spent faults stay listed, so that a test can see that its fault was met. */
  list(): Fault[] {
    return [...this.faults.values()];
  }

  remove(id: string): boolean {
    return this.faults.delete(id);
  }

  /** Clears those of one account or item, or all. */
  clear(filter: Subject = {}): number {
    const doomed = this.list().filter(
      ({ target }) =>
        (filter.publisherId === undefined || target.publisherId === filter.publisherId) &&
        (filter.itemId === undefined || target.itemId === filter.itemId),
    );
    for (const fault of doomed) this.faults.delete(fault.id);
    return doomed.length;
  }
}
