import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { Config } from '../common/config/index.js';
import { TargetWork, type LeasedTarget } from '../targets/index.js';
import { Reconciler } from './reconciler.service.js';

const TIMEOUT = 'reconcile';
const JITTER = 0.1;
/** Even when something is overdue, the next look at the database is this far away. */
const SHORTEST_MS = 500;

/** Looks regularly at what is due and works on it, a few targets at a time. Any number of processes may do this at once. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Scheduler.name);
  private readonly workers = new Set<Promise<void>>();
  /** Workers that are waiting to hear whether there is anything for them. */
  private claiming = 0;
  private isStopping = false;
  /** When the next look is to be made, by the machine's clock. */
  private armedFor = Infinity;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly registry: SchedulerRegistry,
    private readonly work: TargetWork,
    private readonly reconciler: Reconciler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.embedded) await this.work.freeEarlierBoots();
    this.armWithin(this.intervalMs() * Math.random());
  }

  /** Claims nothing more, and lets the steps in hand end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.reconciler.stop();
    this.disarm();
    await Promise.allSettled(this.workers);
  }

  /** Works on everything that is due with the workers that are free, until nothing more is. Costs one statement when nothing is. */
  async tick(): Promise<void> {
    const free = this.config.reconcileConcurrency - this.workers.size - this.claiming;
    if (free <= 0 || this.isStopping) return;
    this.claiming += free;
    const claimed = await this.work.claimDue(free).finally(() => (this.claiming -= free));
    await Promise.all(claimed.map((leased) => this.hire(leased)));
  }

  private hire(leased: LeasedTarget): Promise<void> {
    const worker = this.drain(leased).finally(() => this.workers.delete(worker));
    this.workers.add(worker);
    return worker;
  }

  private async drain(first: LeasedTarget): Promise<void> {
    for (let leased: LeasedTarget | undefined = first; leased !== undefined;) {
      await this.reconciler.run(leased);
      [leased] = this.isStopping ? [] : await this.work.claimDue(1);
    }
  }

  /** The next look is armed before the work begins: a store that takes its time must not keep the others waiting. */
  private async tickAndRearm(): Promise<void> {
    this.disarm();
    this.armWithin(this.intervalMs());
    try {
      await this.tick();
      if (this.isStopping) return;
      const due = await this.work.nextDue();
      if (due !== null) this.armWithin(Math.max(SHORTEST_MS, due.getTime() - this.clock.now().getTime()));
    } catch (error) {
      this.log.error({ msg: 'tick failed', err: error });
    }
  }

  /** Makes the next look no later than this. */
  private armWithin(delayMs: number): void {
    const at = Date.now() + delayMs;
    if (this.isStopping || at >= this.armedFor) return;
    this.disarm();
    this.armedFor = at;
    this.registry.addTimeout(
      TIMEOUT,
      setTimeout(() => void this.tickAndRearm(), delayMs),
    );
  }

  private disarm(): void {
    this.armedFor = Infinity;
    if (this.registry.doesExist('timeout', TIMEOUT)) this.registry.deleteTimeout(TIMEOUT);
  }

  private intervalMs(): number {
    return this.config.reconcileEverySeconds * 1000 * (1 - JITTER * Math.random());
  }
}
