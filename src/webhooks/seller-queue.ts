import { Injectable } from '@nestjs/common';
import { Overloaded } from '../common/problems/index.js';
import type { Seller } from './seller.js';

/** A launch day's minute; the processor sends refused notifications again. */
const MOST_WAITING = 5_000;

interface Queue {
  last: Promise<unknown>;
  waiting: number;
}

/**
 * Lets this process work on one notification of a seller at a time. Those that wait hold no connection: the database's lock on a seller excludes
 * other processes, and each connection that waited for it here would be missing everywhere else.
 */
@Injectable()
export class SellerQueue {
  private readonly queues = new Map<string, Queue>();

  /** Runs work when the seller's earlier work has ended, whatever came of that. @throws Overloaded when too much waits */
  async run<Result>({ tenantId, processor }: Seller, work: () => Promise<Result>): Promise<Result> {
    const key = `${processor} ${tenantId}`;
    const queue = this.queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= MOST_WAITING) throw new Overloaded();
    this.queues.set(key, queue);
    queue.waiting += 1;
    const mine = queue.last.then(work, work);
    queue.last = mine;
    try {
      return await mine;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.queues.delete(key);
    }
  }
}
