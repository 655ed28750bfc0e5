import { Injectable, Logger, type BeforeApplicationShutdown, type MessageEvent } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Observable, type Subscriber } from 'rxjs';
import { addressKey, withoutWorkContext, type Caller } from '../../common/access/index.js';
import { dropTimeout, replaceTimeout } from '../../common/jobs/index.js';
import { SECOND_MS } from '../../common/system/index.js';
import { AccessTokensService } from '../../identity/index.js';
import { changesOf, heardBy, type Change, type Written } from './changes.js';
import { ChangesRepository } from './changes.repository.js';
import type { EndReason } from './stream.dto.js';
import { StreamLimitReached } from './stream.problems.js';

/** Streams of one process: of a tenant with many members at many screens, and of an office behind one address. */
const MOST_PER_TENANT = 200;
const MOST_PER_ADDRESS = 40;
/** From one look at the database to the next. */
const EVERY_MS = SECOND_MS;
/** A new listener waits this long for others that come at the same time. */
const SOON_MS = 20;
/** Proxies close connections on which nothing is sent, most after a minute. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** Looks further apart than this may have missed what was written between them. */
const LONGEST_GAP_MS = 30 * SECOND_MS;
/** The loop's name in Nest's `SchedulerRegistry`. */
const LOOP = 'stream';

/** Somebody who listens. */
interface Listener {
  readonly tokenId: string;
  readonly tenantId: string;
  readonly addressKey: string;
  readonly subscriber: Subscriber<MessageEvent>;
  readonly since: number;
  readonly begins: () => void;
  caller: Caller;
  isReady: boolean;
  lastSentAt: number;
}

/**
 * Tells listeners what changes. While somebody listens to this process, it asks the database once a second for all of them: which tokens are
 * still good, and what has committed since. Processes need not know of each other.
 */
@Injectable()
export class StreamService implements BeforeApplicationShutdown {
  private readonly log = new Logger(StreamService.name);
  private readonly listeners = new Set<Listener>();
  /** What the last look showed; null while nobody listens. */
  private snapshot: string | null = null;
  private lookedAt = 0;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly changes: ChangesRepository,
    private readonly tokens: AccessTokensService,
    private readonly registry: SchedulerRegistry,
  ) {}

  /** Lets a caller listen. The stream fails with StreamLimitReached before it begins. @param begins called once the caller has been answered */
  listen(caller: Caller, address: string, begins: () => void): Observable<MessageEvent> {
    return new Observable((subscriber) => {
      const { tokenId, tenantId } = caller;
      if (tokenId === null) throw new Error('Only tokens listen');
      const key = addressKey(address);
      this.enforceLimits(tenantId, key);
      const now = Date.now();
      const times = { since: now, lastSentAt: now };
      const listener = { tokenId, tenantId, addressKey: key, caller, subscriber, begins, isReady: false, ...times };
      this.listeners.add(listener);
      if (this.looking === null) this.lookWithin(SOON_MS);
      return () => this.forget(listener);
    });
  }

  /** Ends all streams, so that their connections do not keep the process from stopping. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const listener of this.listeners) this.end(listener, 'stopping');
    await this.looking;
  }

  private enforceLimits(tenantId: string, key: string): void {
    const all = [...this.listeners];
    if (all.filter((other) => other.tenantId === tenantId).length >= MOST_PER_TENANT)
      throw new StreamLimitReached(MOST_PER_TENANT, 'tenant');
    if (all.filter((other) => other.addressKey === key).length >= MOST_PER_ADDRESS)
      throw new StreamLimitReached(MOST_PER_ADDRESS, 'address');
  }

  private lookWithin(ms: number): void {
    // The request that comes first wakes the loop; the loop's work is not the request's.
    const run = (): void => void withoutWorkContext(() => this.run());
    replaceTimeout(this.registry, LOOP, run, ms);
  }

  private async run(): Promise<void> {
    dropTimeout(this.registry, LOOP);
    this.looking = this.look().catch((error: unknown) => this.log.warn({ msg: 'changes were not read', err: error }));
    await this.looking;
    this.looking = null;
    if (this.listeners.size > 0) this.lookWithin(EVERY_MS);
    else this.snapshot = null;
  }

  private async look(): Promise<void> {
    // Who joins during this look is ready after the next one.
    const present = [...this.listeners];
    const startedAt = Date.now();
    if (this.snapshot !== null && startedAt - this.lookedAt > LONGEST_GAP_MS) {
      for (const listener of present) if (listener.isReady) this.end(listener, 'interrupted');
      this.snapshot = null;
    }
    await this.admitAgain(present);
    const tenantIds = [...new Set([...this.listeners].map(({ tenantId }) => tenantId))];
    const { snapshot, written } = await this.changes.since(this.snapshot, tenantIds);
    this.snapshot = snapshot;
    this.lookedAt = startedAt;
    const ofTenant = (id: string): readonly Written[] => written.filter(({ tenantId }) => tenantId === id);
    const byTenant = new Map(tenantIds.map((id) => [id, changesOf(ofTenant(id))]));
    for (const listener of present) this.tell(listener, byTenant.get(listener.tenantId) ?? [], startedAt);
  }

  /** A token may have been revoked or have expired, and its creator may have another role. */
  private async admitAgain(present: readonly Listener[]): Promise<void> {
    const callers = await this.tokens.stillAdmitted([...new Set(present.map(({ tokenId }) => tokenId))]);
    for (const listener of present) {
      const caller = callers.get(listener.tokenId);
      if (caller === undefined) this.end(listener, 'unauthenticated');
      else listener.caller = caller;
    }
  }

  private tell(listener: Listener, changes: readonly Change[], now: number): void {
    const { subscriber, caller, isReady } = listener;
    if (!isReady) {
      listener.isReady = true;
      this.send(listener, { type: 'ready', data: {} }, now);
      setImmediate(listener.begins);
      return;
    }
    for (const change of heardBy(caller, changes)) this.send(listener, { type: 'change', data: change }, now);
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
    if (this.listeners.size === 0 && this.looking === null) {
      dropTimeout(this.registry, LOOP);
      this.snapshot = null;
    }
    const seconds = Math.round((Date.now() - listener.since) / SECOND_MS);
    this.log.log({ msg: 'stream ended', tenantId: listener.tenantId, seconds });
  }
}
