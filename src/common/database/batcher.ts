import { Overloaded } from '../problems/index.js';

/**
 * Processes a batch and returns a result per item, in order; an Error is the failure of that item alone. Parts of a batch may be processed
 * again, so the work must be idempotent.
 */
export type BatchWork<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;

export interface BatcherOptions {
  /** Largest number of items in a batch. */
  readonly maxBatchSize: number;
  /** This many items start a batch at once, within the turn of the event loop: small batches overlap with the database's work. */
  readonly startAt: number;
  /** Largest number of batches at the same time. */
  readonly maxInFlight: number;
  /** Largest number of waiting items; further ones are refused. */
  readonly maxWaiting: number;
  /** Whether one item may have made the whole batch fail. Then each is tried alone; otherwise all fail. */
  readonly isFaultOfItem?: (failure: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Lets items that arrive together share one piece of work, such as a statement and its commit. A single item is processed within its turn of
 * the event loop; items that arrive meanwhile form the next batch. No timer delays anything.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private readonly drained: (() => void)[] = [];
  private inFlight = 0;
  private isScheduled = false;

  constructor(
    private readonly work: BatchWork<Item, Result>,
    private readonly options: BatcherOptions,
  ) {}

  /**
   * Adds an item and returns its result.
   * @throws Overloaded when too many items wait; otherwise the item's failure
   */
  add(item: Item): Promise<Result> {
    if (this.waiting.length >= this.options.maxWaiting) return Promise.reject(new Overloaded());
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.startOrSchedule();
    });
  }

  /** Waits until all added items have their result. */
  async drain(): Promise<void> {
    if (this.waiting.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.drained.push(resolve));
  }

  private startOrSchedule(): void {
    if (this.waiting.length >= this.options.startAt) return this.start();
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.start();
    });
  }

  private start(): void {
    while (this.inFlight < this.options.maxInFlight && this.waiting.length > 0) void this.run(this.take());
  }

  /** Takes half of the waiting items, so that batches in flight share a long queue. */
  private take(): readonly Waiting<Item, Result>[] {
    const { maxBatchSize, startAt } = this.options;
    return this.waiting.splice(0, Math.min(maxBatchSize, Math.max(startAt, Math.ceil(this.waiting.length / 2))));
  }

  private async run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.inFlight += 1;
    await this.process(batch);
    this.inFlight -= 1;
    if (this.waiting.length === 0 && this.inFlight === 0) for (const resolve of this.drained.splice(0)) resolve();
    this.startOrSchedule();
  }

  /** Settles every item of the batch; never throws. */
  private async process(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`The work answered ${results.length} of ${batch.length} items`);
      batch.forEach(({ resolve, reject }, at) => {
        const result = results[at] as Result | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (failure) {
      if (batch.length > 1 && (this.options.isFaultOfItem?.(failure) ?? true))
        for (const one of batch) await this.process([one]);
      else for (const { reject } of batch) reject(failure);
    }
  }
}
