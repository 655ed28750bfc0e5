/** Aborts a request that takes too long. `passed` tells a timeout from other failures. Unlike `AbortSignal.timeout`, it can be extended. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private readonly cap: NodeJS.Timeout | undefined;
  private over = false;

  /**
   * @param ms time until the deadline, which `extend` moves
   * @param capMs time until a deadline that nothing moves
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

  /** Moves the deadline after progress. @param ms from now */
  extend(ms: number): void {
    if (this.controller.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = this.endAfter(ms);
  }

  /** Waits for work until the deadline, even for work that ignores the signal. */
  async limit<T>(work: Promise<T>): Promise<T> {
    const cut = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(new Error('The deadline has passed')), { once: true });
    });
    return Promise.race([work, cut]);
  }

  /** Aborts the request unless it has ended. */
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

/** Waits for work, `ms` milliseconds at most. @throws Error `no answer within … seconds`, or the error of the work */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const deadline = new Deadline(ms);
  try {
    return await deadline.limit(work);
  } catch (error) {
    if (deadline.passed) throw new Error(`no answer within ${ms / 1000} seconds`, { cause: error });
    throw error;
  } finally {
    deadline.close();
  }
}
