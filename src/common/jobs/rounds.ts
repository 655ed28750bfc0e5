import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';

const JITTER = 0.1;
/** Even when something is overdue, the next look at the database is this far away. */
const SHORTEST_MS = 500;
/** What has just come in is looked at within this share of the interval: half a second of the usual thirty. */
const SOON = 1 / 60;

/** Longer than any delivery may take, and shorter than a process may take to end. */
const STOP_WITHIN_MS = 20_000;

/** What is done round by round: items are claimed one at a time, by row, so that any number of processes may do the same. */
export interface RoundWork<Item> {
  readonly everyMs: number;
  /** Items in hand at once. */
  readonly concurrency: number;
  /** Done once at the beginning of each round. */
  prepare?(): Promise<void>;
  /** Takes an item that is due and that nobody works on; null when there is none. */
  claim(): Promise<Item | null>;
  carryOut(item: Item): Promise<void>;
  /** In how many milliseconds the next item is due; null when none will be. */
  dueInMs(): Promise<number | null>;
}

/** Looks regularly at what is due and works on it, a few items at a time. */
export class Rounds<Item> {
  /** Rounds and workers that have not ended. */
  private readonly underWay = new Set<Promise<unknown>>();
  /** Items in hand, and those that are about to be. */
  private inHand = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  /** When the next look is to be made, by the machine's clock. */
  private armedFor = Infinity;

  constructor(
    private readonly log: Logger,
    private readonly work: RoundWork<Item>,
  ) {}

  start(): void {
    this.armWithin(this.work.everyMs * Math.random());
  }

  /** Something has come in. */
  soon(): void {
    this.armWithin(Math.max(SHORTEST_MS, this.work.everyMs * SOON));
  }

  /** Claims nothing more, and lets the items in hand end if they do so in time. The lease of any other item runs out as after a crash. */
  async stop(withinMs = STOP_WITHIN_MS): Promise<void> {
    this.isStopping = true;
    this.disarm();
    const waiting = new AbortController();
    const ended = Promise.allSettled(this.underWay).then(() => true);
    const late = pause(withinMs, false, { signal: waiting.signal }).catch(() => true);
    if (!(await Promise.race([ended, late]))) this.log.warn({ msg: 'stopped with work in hand', items: this.inHand });
    waiting.abort();
  }

  /** Works on everything that is due with the workers that are free, until nothing more is. Asks once when nothing is. */
  async tick(): Promise<void> {
    if (!this.isStopping) await this.tracked(this.round());
  }

  /** @returns in how many milliseconds the next item is due; null when none will be */
  private async round(): Promise<number | null> {
    await this.work.prepare?.();
    const dueInMs = await this.work.dueInMs();
    if (dueInMs === null || dueInMs > 0) return dueInMs;
    const workers: Promise<void>[] = [];
    // One claims for all until everybody is busy or nothing is left; then each claims for himself.
    for (let item = await this.claim(); item !== null; item = await this.claim())
      workers.push(this.tracked(this.drain(item)));
    await Promise.all(workers);
    return this.isStopping ? null : this.work.dueInMs();
  }

  private async claim(): Promise<Item | null> {
    if (this.isStopping || this.inHand >= this.work.concurrency) return null;
    this.inHand += 1;
    let item: Item | null = null;
    try {
      item = await this.work.claim();
      return item;
    } finally {
      if (item === null) this.inHand -= 1;
    }
  }

  /** Never throws: one item that goes wrong must not end the round of the others. */
  private async drain(first: Item): Promise<void> {
    try {
      for (let item: Item | null = first; item !== null; item = this.isStopping ? null : await this.work.claim())
        await this.work.carryOut(item);
    } catch (error) {
      this.log.error({ msg: 'round failed', err: error });
    } finally {
      this.inHand -= 1;
    }
  }

  private async tracked<T>(promise: Promise<T>): Promise<T> {
    this.underWay.add(promise);
    return promise.finally(() => this.underWay.delete(promise));
  }

  /** The next look is armed before the work begins: an item that takes its time must not keep the others waiting. */
  private async roundAndRearm(): Promise<void> {
    this.disarm();
    this.armWithin(this.work.everyMs * (1 - JITTER * Math.random()));
    try {
      const dueInMs = await this.tracked(this.round());
      if (dueInMs !== null) this.armWithin(Math.max(SHORTEST_MS, dueInMs));
    } catch (error) {
      this.log.error({ msg: 'round failed', err: error });
    }
  }

  /** Makes the next look no later than this. */
  private armWithin(delayMs: number): void {
    const at = Date.now() + delayMs;
    if (this.isStopping || at >= this.armedFor) return;
    this.disarm();
    this.armedFor = at;
    this.timer = setTimeout(() => void this.roundAndRearm(), delayMs);
  }

  private disarm(): void {
    this.armedFor = Infinity;
    clearTimeout(this.timer);
  }
}
