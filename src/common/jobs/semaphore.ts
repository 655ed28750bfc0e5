import { Overloaded } from '../problems/index.js';

/** Runs a limited number of tasks at once; others wait in order. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(
    private free: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** @throws Overloaded when too many tasks wait; otherwise what the task throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else if (this.waiting.length >= this.maxWaiting) throw new Overloaded();
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A place passes straight to the next in line.
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
