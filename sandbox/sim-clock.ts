/** The sandbox's time: the machine's, moved ahead on request, so that a day passes without waiting for it. */
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
