import type { Logger } from '@nestjs/common';

const JITTER = 0.1;
/** Even when something is overdue, the next look at the database is this far away. */
const SHORTEST_MS = 500;
/** What has just come in is looked at within this share of the interval: half a second of the usual thirty. */
const SOON = 1 / 60;

/** What is done round by round: items are claimed one at a time, by row, so that any number of processes may do the same. */
export interface RoundWork<Item> {
  readonly everyMs: number;
  /** Items in hand at once. */
  readonly concurrency: number;
  /** Done once at the beginning of each round. */
  prepare(): Promise<void>;
  /** Takes an item that is due and that nobody works on; null when there is none. */
  claim(): Promise<Item | null>;
  carryOut(item: Item): Promise<void>;
  /** In how many milliseconds the next item is due; null when none will be. */
  dueInMs(): Promise<number | null>;
}

/** Looks regularly at what is due and works on it, a few items at a time. */
export class Rounds<Item> {
  private readonly workers = new Set<Promise<void>>();
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

  /** Claims nothing more, and lets the items in hand end. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.disarm();
    await Promise.allSettled(this.workers);
  }

  /** Works on everything that is due with the workers that are free, until nothing more is. */
  async tick(): Promise<void> {
    await this.work.prepare();
    // So that an idle round asks once, and not once for each worker.
    const dueInMs = await this.work.dueInMs();
    if (dueInMs === null || dueInMs > 0) return;
    const free = this.work.concurrency - this.workers.size;
    await Promise.all(Array.from({ length: Math.max(free, 0) }, () => this.hire()));
  }

  private hire(): Promise<void> {
    const worker = this.drain().finally(() => this.workers.delete(worker));
    this.workers.add(worker);
    return worker;
  }

  private async drain(): Promise<void> {
    while (!this.isStopping) {
      const item = await this.work.claim();
      if (item === null) return;
      await this.work.carryOut(item);
    }
  }

  /** The next look is armed before the work begins: an item that takes its time must not keep the others waiting. */
  private async tickAndRearm(): Promise<void> {
    this.disarm();
    this.armWithin(this.work.everyMs * (1 - JITTER * Math.random()));
    try {
      await this.tick();
      if (this.isStopping) return;
      const dueInMs = await this.work.dueInMs();
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
    this.timer = setTimeout(() => void this.tickAndRearm(), delayMs);
  }

  private disarm(): void {
    this.armedFor = Infinity;
    clearTimeout(this.timer);
  }
}
