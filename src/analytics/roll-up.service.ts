import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock, MINUTE_MS, SECOND_MS } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { dropTimeout, replaceTimeout } from '../common/jobs/index.js';
import { ExtensionsService } from '../registry/index.js';
import { addDays, dayOf, startOf } from './days.js';
import { PartitionsRepository } from './partitions.repository.js';
import { RollUpRepository } from './roll-up.repository.js';

/** About how many pings one transaction reads. */
const STRETCH_PINGS = 20_000;
/** A day is closed this long after its end, when every process has committed the pings of its last second. */
const GRACE_MS = 10 * MINUTE_MS;
const JITTER = 0.1;
/** The loop's name in Nest's `SchedulerRegistry`. */
const LOOP = 'analytics-roll-up';

/**
 * Adds pings to the figures: today's every few seconds, and closes each day after its end. Any number of processes may run this; one at a time
 * locks the open day, for one stretch of it. After a crash another process continues, and days of downtime are closed one by one.
 */
@Injectable()
export class RollUpService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RollUpService.name);
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly partitions: PartitionsRepository,
    private readonly rollUps: RollUpRepository,
    private readonly registry: SchedulerRegistry,
    private readonly extensions: ExtensionsService,
  ) {}

  onModuleInit(): void {
    this.extensions.beforeDelete.add(({ id }) => this.rollUps.deletePings(id));
  }

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.partitions.ensure(dayOf(this.clock.now()));
    } catch (error) {
      this.log.error({ msg: 'partitions of pings could not be created', err: error });
    }
    this.scheduleNext();
  }

  /** Begins no further stretch, and waits for the current one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    dropTimeout(this.registry, LOOP);
    await this.running;
  }

  /** Adds all new pings to the figures, closes the days that have ended, and drops old partitions. */
  async run(): Promise<void> {
    const today = dayOf(this.clock.now());
    await this.partitions.ensure(today);
    let hasClosed = false;
    for (let step = await this.step(); step !== 'nothing' && !this.isStopping; step = await this.step())
      hasClosed ||= step === 'closed';
    if (hasClosed) await this.partitions.dropOld(today);
  }

  /** Reads a stretch of the open day, or closes it, in one transaction. */
  private step(): Promise<'read' | 'closed' | 'nothing'> {
    return this.tx.run(async () => {
      const open = await this.rollUps.takeOpenDay();
      const now = this.clock.now();
      if (open === undefined || open.day > dayOf(now)) return 'nothing';
      await this.rollUps.liftStatementTimeout();
      const stretch = await this.rollUps.nextStretch(open, STRETCH_PINGS);
      if (stretch?.hasPings === true) {
        await this.rollUps.readStretch(open, stretch);
        return 'read';
      }
      if (now.getTime() < startOf(addDays(open.day, 1)).getTime() + GRACE_MS) return 'nothing';
      await this.rollUps.close(open, now);
      return 'closed';
    });
  }

  private scheduleNext(): void {
    if (this.isStopping) return;
    const delayMs = this.config.analyticsEverySeconds * SECOND_MS * (1 - JITTER * Math.random());
    const rollUp = (): void => {
      this.running = this.run()
        .catch((error: unknown) => this.log.error({ msg: 'roll-up failed', err: error }))
        .finally(() => this.scheduleNext());
    };
    replaceTimeout(this.registry, LOOP, rollUp, delayMs);
  }
}
