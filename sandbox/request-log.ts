import type { IncomingHttpHeaders } from 'node:http';
import type { FaultKind } from './faults.js';
import type { Subject } from './stand-in.js';

/** A request to a stand-in. `status` is `null` until it is answered, and stays `null` when it was dropped. */
export interface LoggedRequest {
  readonly id: number;
  readonly at: Date;
  readonly store: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly publisherId: string | null;
  readonly itemId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The part of the body that the stand-in allows to be logged; never a token or an assertion. */
  readonly body: unknown;
  status: number | null;
  fault: FaultKind | null;
}

/** A filter of the log; an absent field matches everything. */
export interface LogFilter {
  readonly store?: string | undefined;
  readonly operation?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly itemId?: string | undefined;
  /** Only entries with a greater id. */
  readonly since?: number | undefined;
}

/** A request as it arrives. */
export interface IncomingRequest {
  readonly at: Date;
  readonly store: string;
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  readonly subject: Subject;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const KEPT_ENTRIES = 20_000;
const PLAIN_HEADERS = /^(accept|content-type|content-length|transfer-encoding|user-agent|x-goog-.+|x-sim-host)$/;
const SECRET_QUERY = /token|key|secret|assertion|password/i;
const REDACTED = '[redacted]';

/** The requests that reached the stand-ins, oldest first, without their secrets. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private lastId = 0;

  open(arrival: IncomingRequest): LoggedRequest {
    const entry: LoggedRequest = {
      id: ++this.lastId,
      at: arrival.at,
      store: arrival.store,
      operation: arrival.operation,
      method: arrival.method,
      path: arrival.url.pathname,
      query: visibleQuery(arrival.url),
      publisherId: arrival.subject.publisherId ?? null,
      itemId: arrival.subject.itemId ?? null,
      headers: visibleHeaders(arrival.headers),
      body: arrival.body,
      status: null,
      fault: null,
    };
    this.entries.push(entry);
    // Dropping half at once keeps a long run's memory bounded without shifting an array on every request.
    if (this.entries.length > KEPT_ENTRIES) this.entries = this.entries.slice(-KEPT_ENTRIES / 2);
    return entry;
  }

  find(filter: LogFilter): LoggedRequest[] {
    return this.entries.filter(
      (entry) =>
        (filter.store === undefined || entry.store === filter.store) &&
        (filter.operation === undefined || entry.operation === filter.operation) &&
        (filter.publisherId === undefined || entry.publisherId === filter.publisherId) &&
        (filter.itemId === undefined || entry.itemId === filter.itemId) &&
        (filter.since === undefined || entry.id > filter.since),
    );
  }

  clear(): void {
    this.entries = [];
  }
}

function visibleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization') visible[name] = REDACTED;
    else if (PLAIN_HEADERS.test(name) && value !== undefined) visible[name] = String(value);
  }
  return visible;
}

function visibleQuery(url: URL): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, value] of url.searchParams) visible[name] = SECRET_QUERY.test(name) ? REDACTED : value;
  return visible;
}
