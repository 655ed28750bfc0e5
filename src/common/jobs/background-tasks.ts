import { Logger } from '@nestjs/common';

/** Work that a request starts and does not wait for, so that neither its answer nor the time it takes depends on it. */
export class BackgroundTasks {
  private readonly log: Logger;
  private readonly underWay = new Set<Promise<void>>();

  /** @param context the name under which failures are logged */
  constructor(context: string) {
    this.log = new Logger(context);
  }

  /** Starts work. @param msg what a failure means, for the log */
  start(msg: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.log.error({ msg, err: error }))
      .finally(() => this.underWay.delete(running));
    this.underWay.add(running);
  }

  /** Resolves when all work is done. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
