/** Aborts a request that took too long. `signal` goes to fetch; `passed` tells a timeout from any other end. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private readonly cap: NodeJS.Timeout | undefined;
  private over = false;

  /**
   * @param ms until the end, unless `extend` moves it.
   * @param capMs an end that nothing moves.
   */
  constructor(ms: number, capMs?: number) {
    this.timer = this.endAfter(ms);
    this.cap = capMs === undefined ? undefined : this.endAfter(capMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get passed(): boolean {
    return this.over;
  }

  /** Starts the time anew: there was a sign of life. */
  extend(ms: number): void {
    if (this.controller.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = this.endAfter(ms);
  }

  /** Waits for work until the deadline and not a moment longer, even for work that never notices the signal. */
  async hold<T>(work: Promise<T>): Promise<T> {
    const cut = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(new Error('The deadline has passed')), { once: true });
    });
    return Promise.race([work, cut]);
  }

  /** Ends the request whatever its state; of one that was read to its end nothing is left to end. */
  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.cap);
    this.controller.abort();
  }

  private endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.over = true;
      this.controller.abort();
    }, ms);
  }
}
