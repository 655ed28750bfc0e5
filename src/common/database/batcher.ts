import { Overloaded } from '../problems/index.js';

/**
 * Carries out a batch. Answers each item in its place; an Error in a place is that item's failure alone. A batch may be carried out again
 * in part, so the work must do no harm twice.
 */
export type BatchWork<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;

export interface BatcherOptions {
  /** Items of a batch, at most. */
  readonly mostInBatch: number;
  /** Items that start a batch at once, before the turn of the event loop has ended: small batches overlap with the database's work. */
  readonly startAt: number;
  /** Batches under way at once. */
  readonly mostInFlight: number;
  /** Items that wait at most; more are shed. */
  readonly mostWaiting: number;
  /** Whether the failure of a whole batch may be one item's fault. Then each is tried alone; otherwise the failure is everyone's. */
  readonly isItems?: (failure: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Lets what arrives together share one piece of work, such as one statement and its commit. A lone item is taken up within its own turn of
 * the event loop; what comes while the work is under way forms the next batch. There is no timer, so waiting costs nothing when idle.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private readonly drained: (() => void)[] = [];
  private inFlight = 0;
  private isArmed = false;

  constructor(
    private readonly work: BatchWork<Item, Result>,
    private readonly options: BatcherOptions,
  ) {}

  /**
   * Adds an item, and answers when its batch has been carried out.
   * @throws Overloaded when too many wait; else whatever the work failed with for this item
   */
  add(item: Item): Promise<Result> {
    if (this.waiting.length >= this.options.mostWaiting) return Promise.reject(new Overloaded());
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.startOrArm();
    });
  }

  /** Comes back when everything that was taken has its answer. */
  async drain(): Promise<void> {
    if (this.waiting.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.drained.push(resolve));
  }

  private startOrArm(): void {
    if (this.waiting.length >= this.options.startAt) return this.start();
    if (this.isArmed || this.waiting.length === 0) return;
    this.isArmed = true;
    setImmediate(() => {
      this.isArmed = false;
      this.start();
    });
  }

  private start(): void {
    while (this.inFlight < this.options.mostInFlight && this.waiting.length > 0) void this.run(this.take());
  }

  /** Half of what waits, so that a long queue is shared among the batches in flight. */
  private take(): readonly Waiting<Item, Result>[] {
    const { mostInBatch, startAt } = this.options;
    return this.waiting.splice(0, Math.min(mostInBatch, Math.max(startAt, Math.ceil(this.waiting.length / 2))));
  }

  private async run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.inFlight += 1;
    await this.carryOut(batch);
    this.inFlight -= 1;
    if (this.waiting.length === 0 && this.inFlight === 0) for (const tell of this.drained.splice(0)) tell();
    this.startOrArm();
  }

  /** Settles every item of the batch, and never fails. */
  private async carryOut(batch: readonly Waiting<Item, Result>[]): Promise<void> {
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
      if (batch.length > 1 && (this.options.isItems?.(failure) ?? true))
        for (const one of batch) await this.carryOut([one]);
      else for (const { reject } of batch) reject(failure);
    }
  }
}
