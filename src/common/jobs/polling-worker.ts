import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { Config } from '../config/index.js';
import { isUnavailable, type WorkLocks } from '../database/index.js';
import { withoutWorkContext, withWorkContext, type LogContext } from '../access/pure.js';
import { SECOND_MS, type Clock } from '../system/index.js';
import { dropTimeout, replaceTimeout } from './replace-timeout.js';

const JITTER = 0.1;
/** The shortest time between two polls, even when something is overdue. */
const SHORTEST_MS = 500;
/** New items are polled for within this share of the interval: half a second of the usual thirty. */
const WAKE_SHARE = 1 / 60;

/** Longer than any delivery may take, and shorter than a process may take to end. */
const STOP_WITHIN_MS = 20 * SECOND_MS;

export interface PollingOptions {
  /** The loop's name in Nest's `SchedulerRegistry`. */
  readonly name: string;
  /** Items that this process works on at once. */
  readonly concurrency: number;
  /** The work locks on the rows of the items. */
  readonly locks: Pick<WorkLocks, 'nextDue' | 'voidAll' | 'takenOver'>;
}

/**
 * Polls the database for items that are due and processes them, a few at a time. Items are taken row by row, so any number of processes
 * may run the same worker. Its next poll is a timeout in Nest's `SchedulerRegistry`.
 */
export abstract class PollingWorker<Item> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly log = new Logger(this.constructor.name);
  /** Polls and items that have not ended. */
  private readonly underWay = new Set<Promise<unknown>>();
  /** Items being processed, and those about to be. */
  private inProgress = 0;
  protected isStopping = false;
  /** By the machine's clock. */
  private nextRunAt = Infinity;
  /** Whether the database was unavailable at the last poll. */
  private isDatabaseDown = false;
  private readonly everyMs: number;
  private readonly isSoleProcess: boolean;

  constructor(
    private readonly registry: SchedulerRegistry,
    protected readonly clock: Clock,
    config: Pick<Config, 'reconcileEverySeconds' | 'embedded'>,
    private readonly options: PollingOptions,
  ) {
    this.everyMs = config.reconcileEverySeconds * SECOND_MS;
    this.isSoleProcess = config.embedded;
  }

  /** The loop's name, and how many work locks it has taken over from workers that let them run out. */
  get record(): { readonly name: string; readonly takenOver: number } {
    return { name: this.options.name, takenOver: this.options.locks.takenOver };
  }

  /** Takes an item that is due and that no other worker holds; null when there is none. */
  protected abstract take(): Promise<Item | null>;
  protected abstract process(item: Item): Promise<void>;

  /** When the next item is due that no worker holds; null when none will be. */
  protected nextDue(): Promise<Date | null> {
    return this.options.locks.nextDue();
  }

  /** Returns the fields of the log lines of an item's work. */
  protected logContextOf(_item: Item): LogContext {
    return {};
  }

  /** Runs once at the beginning of each poll. */
  protected prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** No other process uses an embedded database: any work lock in it was left by a crash. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.isSoleProcess) await this.options.locks.voidAll();
    this.runWithin(this.everyMs * Math.random());
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Polls soon: an item has been added. */
  wake(): void {
    this.runWithin(Math.max(SHORTEST_MS, this.everyMs * WAKE_SHARE));
  }

  /** Stops taking items, and waits for those in progress. The work locks of items that do not finish in time expire, as after a crash. */
  async stop(withinMs = STOP_WITHIN_MS): Promise<void> {
    this.isStopping = true;
    this.cancel();
    const waiting = new AbortController();
    const ended = Promise.allSettled(this.underWay).then(() => true);
    const late = pause(withinMs, false, { signal: waiting.signal }).catch(() => true);
    if (!(await Promise.race([ended, late])))
      this.log.warn({ msg: 'stopped with work in progress', items: this.inProgress });
    waiting.abort();
  }

  /** Processes everything that is due, until nothing more is. Costs one statement when nothing is. */
  async tick(): Promise<void> {
    if (!this.isStopping) await this.tracked(this.poll());
  }

  /** @returns in how many milliseconds the next item is due; null when none will be */
  private async poll(): Promise<number | null> {
    await this.prepare();
    const dueInMs = await this.dueInMs();
    if (dueInMs === null || dueInMs > 0) return dueInMs;
    const workers: Promise<void>[] = [];
    // One loop takes items for all workers until all are busy or nothing is left; then each worker takes its own.
    for (let item = await this.takeFirst(); item !== null; item = await this.takeFirst())
      workers.push(this.tracked(this.drain(item)));
    await Promise.all(workers);
    return this.isStopping ? null : this.dueInMs();
  }

  private async dueInMs(): Promise<number | null> {
    const due = await this.nextDue();
    return due === null ? null : due.getTime() - this.clock.now().getTime();
  }

  private async takeFirst(): Promise<Item | null> {
    if (this.isStopping || this.inProgress >= this.options.concurrency) return null;
    this.inProgress += 1;
    let item: Item | null = null;
    try {
      item = await this.take();
      return item;
    } finally {
      if (item === null) this.inProgress -= 1;
    }
  }

  /** Never throws: a failure of one worker must not end the poll of the others. */
  private async drain(first: Item): Promise<void> {
    try {
      for (let item: Item | null = first; item !== null; item = this.isStopping ? null : await this.take()) {
        const current = item;
        await withWorkContext(this.logContextOf(current), () => this.process(current));
      }
    } catch (error) {
      this.log.error({ msg: 'poll failed', err: error });
    } finally {
      this.inProgress -= 1;
    }
  }

  private async tracked<T>(promise: Promise<T>): Promise<T> {
    this.underWay.add(promise);
    return promise.finally(() => this.underWay.delete(promise));
  }

  /** Schedules the next poll before this one works: a slow item must not keep the others waiting. */
  private async run(): Promise<void> {
    this.cancel();
    this.runWithin(this.everyMs * (1 - JITTER * Math.random()));
    try {
      const dueInMs = await this.tracked(this.poll());
      if (this.isDatabaseDown) this.log.log({ msg: 'polling again' });
      this.isDatabaseDown = false;
      if (dueInMs !== null) this.runWithin(Math.max(SHORTEST_MS, dueInMs));
    } catch (error) {
      const wasDatabaseDown = this.isDatabaseDown;
      this.isDatabaseDown = isUnavailable(error);
      // An outage of the database is logged once, not at each poll.
      if (!wasDatabaseDown || !this.isDatabaseDown) this.log.error({ msg: 'poll failed', err: error });
    }
  }

  /** Makes the next poll no later than this. */
  private runWithin(delayMs: number): void {
    const at = Date.now() + delayMs;
    if (this.isStopping || at >= this.nextRunAt) return;
    this.nextRunAt = at;
    // A request may wake the worker; its work is not the request's.
    const run = (): void => void withoutWorkContext(() => this.run());
    replaceTimeout(this.registry, this.options.name, run, delayMs);
  }

  private cancel(): void {
    this.nextRunAt = Infinity;
    dropTimeout(this.registry, this.options.name);
  }
}
