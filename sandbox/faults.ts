import { randomUUID } from 'node:crypto';
import type { Subject } from './stand-in.js';

/** The effect of a fault. */
export type FaultEffect =
  /** Answers without acting; without a body, in the store's form for the status. */
  | { readonly kind: 'status'; readonly status: number; readonly reply: FaultReply }
  /** Waits and then acts. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Acts and then waits before answering, so that a client that times out has still changed the store. */
  | { readonly kind: 'delay-after'; readonly ms: number }
  /** Closes the connection without acting. */
  | { readonly kind: 'drop-before' }
  /** Acts and then closes the connection without an answer. */
  | { readonly kind: 'drop-after' }
  /** Acts and then sends another answer. */
  | { readonly kind: 'status-after'; readonly status: number; readonly reply: FaultReply }
  /** Answers 200 with a given body, without acting. */
  | { readonly kind: 'body'; readonly reply: FaultReply }
  /** Answers 200 with this many megabytes of JSON, without acting. */
  | { readonly kind: 'huge-body'; readonly megabytes: number };

/** The name of a fault. */
export type FaultKind = FaultEffect['kind'];

/** The parts of an answer that a fault may set. */
export interface FaultReply {
  readonly headers: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON; `undefined` means the store's own body. */
  readonly body?: unknown;
}

/** The requests that a fault applies to; an absent field matches everything. */
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

/** A fault as it was requested. */
export interface FaultDefinition {
  readonly target: FaultTarget;
  readonly effect: FaultEffect;
  /** Matching requests that pass first. */
  readonly skip: number;
  /** Requests it applies to afterwards; `null` means until it is cleared. */
  readonly times: number | null;
}

/** A fault with its remaining counts. */
export interface Fault extends FaultDefinition {
  readonly id: string;
  skipLeft: number;
  timesLeft: number | null;
  hits: number;
}

/** A request that faults are matched against. */
export interface FaultCandidate extends Subject {
  readonly store: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

/** Whether a fault applies to a request. */
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

/** All faults, oldest first. */
export class FaultRegistry {
  private readonly faults = new Map<string, Fault>();

  add(definition: FaultDefinition): Fault {
    const { skip: skipLeft, times: timesLeft } = definition;
    const fault: Fault = { ...definition, id: randomUUID(), skipLeft, timesLeft, hits: 0 };
    this.faults.set(fault.id, fault);
    return fault;
  }

  /** The effect for a request, which counts as one use. At most one fault applies to a request. */
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

  /** Used-up faults stay listed, so that a test can check that its fault occurred. */
  list(): Fault[] {
    return [...this.faults.values()];
  }

  remove(id: string): boolean {
    return this.faults.delete(id);
  }

  /** Clears the faults of one account or item, or all. */
  clear(filter: Subject = {}): number {
    const matching = this.list().filter(
      ({ target }) =>
        (filter.publisherId === undefined || target.publisherId === filter.publisherId) &&
        (filter.itemId === undefined || target.itemId === filter.itemId),
    );
    for (const fault of matching) this.faults.delete(fault.id);
    return matching.length;
  }
}
