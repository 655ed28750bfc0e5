import { Injectable } from '@nestjs/common';
import { Overloaded } from '../common/problems/index.js';
import type { Seller } from './seller.js';

/** A launch day's minute; the processor sends refused notifications again. */
const MOST_WAITING = 5_000;
/** A transaction that works on more of them would keep the others of the process waiting for too long. */
const MOST_TOGETHER = 50;

/** Works on items of one seller. @returns a result for each item, in order */
type WorkTogether<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** One item that waits, or is worked on. */
interface Waiting {
  readonly item: unknown;
  readonly work: WorkTogether<unknown, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets this process work on one thing of a seller at a time. Those that wait hold no connection: the database's lock on a seller excludes other
 * processes, and each connection that waited for it here would be missing everywhere else.
 */
@Injectable()
export class SellerQueue {
  private readonly queues = new Map<string, Waiting[]>();

  /** Runs work when the seller's earlier work has ended, whatever came of that. @throws Overloaded when too much waits */
  run<Result>(seller: Seller, work: () => Promise<Result>): Promise<Result> {
    return this.runTogether(seller, null, async () => [await work()]);
  }

  /**
   * Runs work on an item as above, together with the items that wait behind it for the same work. When that fails, each is worked on alone, so
   * that none fails because of another.
   * @throws Overloaded when too much waits
   */
  runTogether<Item, Result>(
    { tenantId, processor }: Seller,
    item: Item,
    work: WorkTogether<Item, Result>,
  ): Promise<Result> {
    const key = `${processor} ${tenantId}`;
    const queue = this.queues.get(key);
    if (queue !== undefined && queue.length >= MOST_WAITING) return Promise.reject(new Overloaded());
    return new Promise<Result>((resolve, reject) => {
      const waiting = { item, work, resolve, reject } as Waiting;
      if (queue !== undefined) queue.push(waiting);
      else void this.empty(key, [waiting]);
    });
  }

  /** Works on a queue until it is empty. Never fails. */
  private async empty(key: string, queue: Waiting[]): Promise<void> {
    this.queues.set(key, queue);
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const { work } = first;
      const other = queue.findIndex((one) => one.work !== work);
      const together = queue.slice(0, Math.min(other === -1 ? queue.length : other, MOST_TOGETHER));
      await workOn(together, work);
      queue.splice(0, together.length);
    }
    this.queues.delete(key);
  }
}

async function workOn(all: readonly Waiting[], work: Waiting['work']): Promise<void> {
  try {
    const results = await work(all.map(({ item }) => item));
    all.forEach(({ resolve }, at) => resolve(results[at]));
  } catch (error) {
    if (all.length === 1) all[0]?.reject(error);
    else for (const one of all) await workOn([one], work);
  }
}
