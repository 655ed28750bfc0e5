import { Injectable, Logger, type BeforeApplicationShutdown, type MessageEvent } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Observable, type Subscriber } from 'rxjs';
import { addressKey, withoutWorkContext, type Caller } from '../../../common/access/index.js';
import { dropTimeout, replaceTimeout } from '../../../common/jobs/index.js';
import { SECOND_MS } from '../../../common/system/index.js';
import { AccessTokensService } from '../../../platform/access/index.js';
import { changesOf, visibleTo, type Change, type Written } from './changes.js';
import { ChangesRepository } from './changes.repository.js';
import type { EndReason } from './stream.dto.js';
import { StreamLimitReached } from './stream.problems.js';

/** Open streams in one process: enough for a tenant with many members, and for an office behind one address. */
const MAX_PER_TENANT = 200;
const MAX_PER_ADDRESS = 40;
/** From one poll of the database to the next. */
const EVERY_MS = SECOND_MS;
/** A new listener waits this long for others that come at the same time. */
const SOON_MS = 20;
/** Proxies close connections on which nothing is sent, most after a minute. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** Polls further apart than this may have missed what was written between them. */
const LONGEST_GAP_MS = 30 * SECOND_MS;
/** The loop's name in Nest's `SchedulerRegistry`. */
const LOOP = 'stream';

/** An open stream. */
interface Listener {
  readonly tokenId: string;
  readonly tenantId: string;
  readonly addressKey: string;
  readonly subscriber: Subscriber<MessageEvent>;
  readonly since: number;
  readonly onReady: () => void;
  caller: Caller;
  isReady: boolean;
  lastSentAt: number;
}

/**
 * Streams changes to listeners. While this process has listeners, it polls the database once a second for all of them: which tokens are still
 * valid, and what has committed since the last poll. Processes need not know of each other.
 */
@Injectable()
export class StreamService implements BeforeApplicationShutdown {
  private readonly log = new Logger(StreamService.name);
  private readonly listeners = new Set<Listener>();
  /** The database's snapshot at the last poll; null while nobody listens. */
  private snapshot: string | null = null;
  private polledAt = 0;
  private polling: Promise<void> | null = null;

  constructor(
    private readonly changes: ChangesRepository,
    private readonly tokens: AccessTokensService,
    private readonly registry: SchedulerRegistry,
  ) {}

  /** Opens a stream, or fails it with StreamLimitReached. @param onReady called once `ready` has been sent */
  listen(caller: Caller, address: string, onReady: () => void): Observable<MessageEvent> {
    return new Observable((subscriber) => {
      const { tokenId, tenantId } = caller;
      if (tokenId === null) throw new Error('Only a token can open a stream');
      const key = addressKey(address);
      this.enforceLimits(tenantId, key);
      const now = Date.now();
      const times = { since: now, lastSentAt: now };
      const listener = { tokenId, tenantId, addressKey: key, caller, subscriber, onReady, isReady: false, ...times };
      this.listeners.add(listener);
      if (this.polling === null) this.pollWithin(SOON_MS);
      return () => this.forget(listener);
    });
  }

  /** Ends all streams, so that their connections do not keep the process from stopping. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const listener of this.listeners) this.end(listener, 'stopping');
    await this.polling;
  }

  private enforceLimits(tenantId: string, key: string): void {
    const all = [...this.listeners];
    if (all.filter((other) => other.tenantId === tenantId).length >= MAX_PER_TENANT)
      throw new StreamLimitReached(MAX_PER_TENANT, 'tenant');
    if (all.filter((other) => other.addressKey === key).length >= MAX_PER_ADDRESS)
      throw new StreamLimitReached(MAX_PER_ADDRESS, 'address');
  }

  private pollWithin(ms: number): void {
    // The first listener's request starts the loop, but the loop is not part of that request.
    const run = (): void => void withoutWorkContext(() => this.run());
    replaceTimeout(this.registry, LOOP, run, ms);
  }

  private async run(): Promise<void> {
    dropTimeout(this.registry, LOOP);
    this.polling = this.poll().catch((error: unknown) => this.log.warn({ msg: 'changes were not read', err: error }));
    await this.polling;
    this.polling = null;
    if (this.listeners.size > 0) this.pollWithin(EVERY_MS);
    else this.snapshot = null;
  }

  private async poll(): Promise<void> {
    // A listener that joins during this poll is ready after the next one.
    const present = [...this.listeners];
    const startedAt = Date.now();
    if (this.snapshot !== null && startedAt - this.polledAt > LONGEST_GAP_MS) {
      for (const listener of present) if (listener.isReady) this.end(listener, 'interrupted');
      this.snapshot = null;
    }
    await this.authenticateAgain(present);
    const tenantIds = [...new Set([...this.listeners].map(({ tenantId }) => tenantId))];
    const { snapshot, written } = await this.changes.since(this.snapshot, tenantIds);
    this.snapshot = snapshot;
    this.polledAt = startedAt;
    const ofTenant = (id: string): readonly Written[] => written.filter(({ tenantId }) => tenantId === id);
    const byTenant = new Map(tenantIds.map((id) => [id, changesOf(ofTenant(id))]));
    for (const listener of present) this.sendChanges(listener, byTenant.get(listener.tenantId) ?? [], startedAt);
  }

  /** A token may have been revoked or have expired, and its creator may have another role. */
  private async authenticateAgain(present: readonly Listener[]): Promise<void> {
    const callers = await this.tokens.callersOf([...new Set(present.map(({ tokenId }) => tokenId))]);
    for (const listener of present) {
      const caller = callers.get(listener.tokenId);
      if (caller === undefined) this.end(listener, 'unauthenticated');
      else listener.caller = caller;
    }
  }

  private sendChanges(listener: Listener, changes: readonly Change[], now: number): void {
    const { subscriber, caller, isReady } = listener;
    if (!isReady) {
      listener.isReady = true;
      this.send(listener, { type: 'ready', data: {} }, now);
      setImmediate(listener.onReady);
      return;
    }
    for (const change of visibleTo(caller, changes)) this.send(listener, { type: 'change', data: change }, now);
    if (now - listener.lastSentAt >= HEARTBEAT_MS && !subscriber.closed) this.send(listener, { comment: '' }, now);
  }

  private send(listener: Listener, message: MessageEvent, now: number): void {
    listener.lastSentAt = now;
    listener.subscriber.next(message);
  }

  private end(listener: Listener, reason: EndReason): void {
    listener.subscriber.next({ type: 'end', data: { reason } });
    listener.subscriber.complete();
  }

  private forget(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size === 0 && this.polling === null) {
      dropTimeout(this.registry, LOOP);
      this.snapshot = null;
    }
    const seconds = Math.round((Date.now() - listener.since) / SECOND_MS);
    this.log.log({ msg: 'stream ended', tenantId: listener.tenantId, seconds });
  }
}
