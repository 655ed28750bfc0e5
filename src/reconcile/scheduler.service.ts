import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { Config } from '../common/config/index.js';
import { TargetWork } from '../targets/index.js';
import { Reconciler } from './reconciler.service.js';

const TIMEOUT = 'reconcile';
const JITTER = 0.1;
/** Even when something is overdue, the next look at the database is this far away. */
const SHORTEST_MS = 500;

/** Looks regularly at what is due and works on it, a few targets at a time. Any number of processes may do this at once. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Scheduler.name);
  private readonly running = new Set<Promise<unknown>>();
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly registry: SchedulerRegistry,
    private readonly work: TargetWork,
    private readonly reconciler: Reconciler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.embedded) await this.work.freeEarlierBoots();
    this.arm(this.intervalMs() * Math.random());
  }

  /** Claims nothing more, and lets the steps in hand end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.registry.doesExist('timeout', TIMEOUT)) this.registry.deleteTimeout(TIMEOUT);
    await Promise.all(this.running);
  }

  /** Works on everything that is due, until nothing more is. */
  async tick(): Promise<void> {
    const workers = Array.from({ length: this.config.reconcileConcurrency }, () => this.drain());
    await Promise.all(workers);
  }

  private async drain(): Promise<void> {
    while (!this.isStopping) {
      const [leased] = await this.work.claimDue(1);
      if (leased === undefined) return;
      const run = this.reconciler.run(leased);
      this.running.add(run);
      await run.finally(() => this.running.delete(run));
    }
  }

  private async tickAndRearm(): Promise<void> {
    this.registry.deleteTimeout(TIMEOUT);
    let delay = this.intervalMs();
    try {
      await this.tick();
      const due = await this.work.nextDue();
      if (due !== null) delay = Math.min(delay, Math.max(SHORTEST_MS, due.getTime() - this.clock.now().getTime()));
    } catch (error) {
      this.log.error({ msg: 'tick failed', err: error });
    }
    this.arm(delay);
  }

  private arm(delayMs: number): void {
    if (this.isStopping) return;
    this.registry.addTimeout(
      TIMEOUT,
      setTimeout(() => void this.tickAndRearm(), delayMs),
    );
  }

  private intervalMs(): number {
    return this.config.reconcileEverySeconds * 1000 * (1 - JITTER * Math.random());
  }
}
