import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../../support/process.js';

const EVERY_MS = 10;

/** What a process takes while something is going on: its memory, and how long a cheap request waits. */
export class Watch {
  readonly megabytes: number[] = [];
  readonly waitsMs: number[] = [];
  private isOver = false;
  private readonly watching: Promise<void>;

  constructor(
    private readonly service: Service,
    private readonly ask: () => Promise<unknown>,
  ) {
    this.watching = this.watch();
  }

  /** Ends before the process does. @throws when a request was not answered well */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.watching;
  }

  /** The memory in the second half beyond that in the first, once it had been warming up for half of that. */
  get growth(): number {
    const [quarter, half] = [this.megabytes.length / 4, this.megabytes.length / 2];
    return Math.max(...this.megabytes.slice(half)) - Math.max(...this.megabytes.slice(quarter, half));
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      const begun = performance.now();
      await this.ask();
      this.waitsMs.push(performance.now() - begun);
      this.megabytes.push(await residentMegabytes(this.service.pid));
      await pause(EVERY_MS);
    }
  }
}

const residentMegabytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The value that 99 of 100 do not exceed. */
export const p99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
