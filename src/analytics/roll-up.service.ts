import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock, MINUTE_MS, SECOND_MS } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { dropTimeout, replaceTimeout } from '../common/jobs/index.js';
import { ExtensionsService } from '../registry/index.js';
import { addDays, dayOf, startOf, type Day } from './days.js';
import { Partitions } from './partitions.service.js';
import { ADD_TO_MONTH, CLAIM_OPEN_DAY, FOLD_RARE, NEXT_STRETCH, READ_STRETCH, SUM_UNIQUES } from './roll-up.sql.js';

/** Pings read in one transaction, about. */
const STRETCH_PINGS = 20_000;
/** A day is closed this long after its end: pings of its last second have been committed by then, in every process. */
const GRACE_MS = 10 * MINUTE_MS;
const JITTER = 0.1;
/** The loop's name in Nest's `SchedulerRegistry`. */
const LOOP = 'analytics-roll-up';
const BEFORE_ALL = '0';
const AFTER_ALL = '9223372036854775807';

/**
 * Reads pings into the figures: those of today every few seconds, and after its end the day is closed. Any number of processes may do this;
 * one at a time gets the open day, for one stretch of it. What a crash leaves is taken up by the next, and days of downtime one by one.
 */
@Injectable()
export class RollUp implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RollUp.name);
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly partitions: Partitions,
    private readonly registry: SchedulerRegistry,
    extensions: ExtensionsService,
  ) {
    extensions.deleting.add(async ({ id }) => {
      // Millions of rows may go, and the extension's lock is held anyway.
      await this.tx.query('set local statement_timeout = 0');
      await this.tx.query('delete from install_day where extension_id = $1', [id]);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.partitions.ready(dayOf(this.clock.now()));
    } catch (error) {
      this.log.error({ msg: 'the days of pings could not be made', err: error });
    }
    this.arm();
  }

  /** Begins no other stretch, and lets the one in hand end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    dropTimeout(this.registry, LOOP);
    await this.running;
  }

  /** Reads whatever has come, closes the days that have ended, and drops what is too old. */
  async run(): Promise<void> {
    const today = dayOf(this.clock.now());
    await this.partitions.ready(today);
    let hasClosed = false;
    for (let step = await this.step(); step !== 'nothing' && !this.isStopping; step = await this.step())
      hasClosed ||= step === 'closed';
    if (hasClosed) await this.partitions.dropOld(today);
  }

  /** One transaction: a stretch of the open day, or its end. */
  private step(): Promise<'read' | 'closed' | 'nothing'> {
    return this.tx.run(async () => {
      const [open] = await this.tx.query<{ day: Day; watermark: string }>(CLAIM_OPEN_DAY);
      const now = this.clock.now();
      if (open === undefined || open.day > dayOf(now)) return 'nothing';
      await this.tx.query('set local statement_timeout = 0');
      const [stretch] = await this.tx.query<{ low: string; high: string; isWorth: boolean }>(NEXT_STRETCH, [
        open.day,
        open.watermark,
        STRETCH_PINGS,
      ]);
      if (stretch?.isWorth === true) {
        await this.tx.query(READ_STRETCH, [open.day, stretch.low, stretch.high]);
        await this.tx.query('update analytics_day set watermark = $2 where day = $1', [open.day, stretch.high]);
        return 'read';
      }
      if (now.getTime() < startOf(addDays(open.day, 1)).getTime() + GRACE_MS) return 'nothing';
      await this.close(open.day, now);
      return 'closed';
    });
  }

  /** Whatever the stretches have missed is read before the last line is drawn: watermarks only save work. */
  private async close(day: Day, now: Date): Promise<void> {
    await this.tx.query(READ_STRETCH, [day, BEFORE_ALL, AFTER_ALL]);
    await this.tx.query(SUM_UNIQUES, [day]);
    await this.tx.query(FOLD_RARE, [day]);
    await this.tx.query(ADD_TO_MONTH, [day]);
    await this.tx.query('update analytics_day set closed_at = $2 where day = $1', [day, now]);
  }

  private arm(): void {
    if (this.isStopping) return;
    const delayMs = this.config.analyticsEverySeconds * SECOND_MS * (1 - JITTER * Math.random());
    const rollUp = (): void => {
      this.running = this.run()
        .catch((error: unknown) => this.log.error({ msg: 'roll-up failed', err: error }))
        .finally(() => this.arm());
    };
    replaceTimeout(this.registry, LOOP, rollUp, delayMs);
  }
}
