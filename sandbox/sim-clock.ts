/** The sandbox's time: the machine's time plus an offset, so that tests can let a day pass. */
export class SimClock {
  private aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  /** Seconds by which the sandbox is ahead of the machine. */
  get aheadSeconds(): number {
    return this.aheadMs / 1000;
  }

  advance(seconds: number): void {
    this.aheadMs += seconds * 1000;
  }

  reset(): void {
    this.aheadMs = 0;
  }
}
