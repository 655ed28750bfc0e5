import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Rounds } from '../common/jobs/index.js';
import { TargetWork, type LeasedTarget } from '../targets/index.js';
import { Reconciler } from './reconciler.service.js';

/** Looks regularly at what is due and works on it, a few targets at a time. Any number of processes may do this at once. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds<LeasedTarget>;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly work: TargetWork,
    private readonly reconciler: Reconciler,
  ) {
    this.rounds = new Rounds(new Logger(Scheduler.name), {
      everyMs: config.reconcileEverySeconds * 1000,
      concurrency: config.reconcileConcurrency,
      claim: () => work.claimDue(),
      carryOut: async (leased) => void (await reconciler.run(leased)),
      dueInMs: () => this.untilDue(),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.embedded) await this.work.freeEarlierBoots();
    this.rounds.start();
  }

  /** Claims nothing more, and lets the steps in hand end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.reconciler.stop();
    await this.rounds.stop();
  }

  /** Works on everything that is due with the workers that are free, until nothing more is. Costs one statement when nothing is. */
  async tick(): Promise<void> {
    await this.rounds.tick();
  }

  private async untilDue(): Promise<number | null> {
    const due = await this.work.nextDue();
    return due === null ? null : due.getTime() - this.clock.now().getTime();
  }
}
