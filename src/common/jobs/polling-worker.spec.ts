import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../system/index.js';
import { PollingWorker } from './polling-worker.js';

const NAME = 'bench';

/** Items that are due, processed only when the test allows it. */
class Bench extends PollingWorker<number> {
  readonly asked: string[];
  readonly done: number[] = [];
  busy = 0;
  mostBusy = 0;
  open: () => void = () => undefined;
  private readonly gate: Promise<void>;

  constructor(
    private readonly due: number[],
    isShut = false,
    readonly schedule = new SchedulerRegistry(),
    embedded = false,
  ) {
    const asked: string[] = [];
    const clock = new Clock();
    const locks = {
      takenOver: 0,
      nextDue: async () => (asked.push('due'), due.length === 0 ? null : clock.now()),
      voidAll: async () => void asked.push('void'),
    };
    super(schedule, clock, { reconcileEverySeconds: 60, embedded }, { name: NAME, concurrency: 3, locks });
    this.asked = asked;
    this.gate = isShut ? new Promise((resolve) => (this.open = resolve)) : Promise.resolve();
    this.log.error = () => void this.asked.push('logged');
    this.log.warn = () => void this.asked.push('warned');
  }

  protected async take(): Promise<number | null> {
    this.asked.push('take');
    return this.due.shift() ?? null;
  }

  protected async process(item: number): Promise<void> {
    this.busy += 1;
    this.mostBusy = Math.max(this.mostBusy, this.busy);
    await this.gate;
    await setImmediate();
    this.busy -= 1;
    if (item < 0) throw new Error('Odd item');
    this.done.push(item);
  }
}

describe('a poll', () => {
  it('asks once when nothing is due', async () => {
    const bench = new Bench([]);
    await bench.tick();
    expect(bench.asked).toEqual(['due']);
  });

  it('costs little more than what is due', async () => {
    const bench = new Bench([1]);
    await bench.tick();
    expect(bench.asked.filter((what) => what === 'take').length).toBeLessThanOrEqual(3);
  });

  it('processes everything, a few items at a time', async () => {
    const bench = new Bench([1, 2, 3, 4, 5, 6, 7]);
    await Promise.all([bench.tick(), bench.tick()]);
    expect(bench.done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(bench.mostBusy).toBe(3);
  });

  it('goes on when an item fails', async () => {
    const bench = new Bench([1, -1, 2, 3, 4, 5]);
    await bench.tick();
    expect(bench.done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(bench.asked).toContain('logged');
  });
});

describe('the next poll', () => {
  it('is one timeout in the SchedulerRegistry, under the name of the worker, until the worker stops', async () => {
    const bench = new Bench([]);
    await bench.onApplicationBootstrap();
    const first: unknown = bench.schedule.getTimeout(NAME);
    bench.wake();
    expect(bench.schedule.getTimeouts()).toEqual([NAME]);
    await bench.beforeApplicationShutdown();
    expect(bench.schedule.getTimeouts()).toEqual([]);
    bench.wake();
    expect(bench.schedule.getTimeouts()).toEqual([]);
    expect(first).toBeDefined();
  });

  it('stops without complaint when Nest has cleared the registry before', async () => {
    const bench = new Bench([]);
    await bench.onApplicationBootstrap();
    bench.schedule.deleteTimeout(NAME);
    await expect(bench.stop()).resolves.toBeUndefined();
  });
});

describe('polls that fail', () => {
  /** Polls at once, again and again; each poll ends as the next of `polls` says. */
  class Failing extends PollingWorker<never> {
    readonly logged: string[] = [];
    readonly ended: Promise<void>;

    constructor(polls: (Error | null)[]) {
      let end = (): void => undefined;
      const nextDue = (): Promise<null> => {
        if (polls.length === 0) end();
        const failure = polls.shift() ?? null;
        return failure === null ? Promise.resolve(null) : Promise.reject(failure);
      };
      const locks = { takenOver: 0, nextDue, voidAll: () => Promise.resolve() };
      const config = { reconcileEverySeconds: 0.001, embedded: false };
      super(new SchedulerRegistry(), new Clock(), config, { name: NAME, concurrency: 1, locks });
      this.ended = new Promise((resolve) => (end = resolve));
      this.log.error = () => void this.logged.push('failed');
      this.log.log = () => void this.logged.push('again');
    }

    protected take = (): Promise<null> => Promise.resolve(null);
    protected process = (): Promise<void> => Promise.resolve();
  }

  const away = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it.each([
    ['an outage of the database once', [away(), away(), null, null, away(), away()], ['failed', 'again', 'failed']],
    ['other faults each time', [new Error('odd'), new Error('odd'), null], ['failed', 'failed']],
  ])('log %s', async (_, polls, logged) => {
    const worker = new Failing(polls);
    await worker.onApplicationBootstrap();
    await worker.ended;
    await worker.stop();
    expect(worker.logged.slice(0, logged.length)).toEqual(logged);
    expect(worker.logged.filter((what) => what === 'failed')).toEqual(logged.filter((what) => what === 'failed'));
  });
});

describe('a start', () => {
  it.each([
    [true, ['void']],
    [false, []],
  ])('voids the locks when no other process can hold one: %s', async (embedded, asked) => {
    const bench = new Bench([], false, new SchedulerRegistry(), embedded);
    await bench.onApplicationBootstrap();
    expect(bench.asked).toEqual(asked);
    await bench.stop();
  });
});

describe('a stop', () => {
  it('lets the items in hand end, and takes no other', async () => {
    const bench = new Bench([1, 2, 3, 4], true);
    const ticked = bench.tick();
    while (bench.busy < 3) await Promise.resolve();
    const stopped = bench.stop();
    bench.open();
    await stopped;
    expect(bench.done).toEqual([1, 2, 3]);
    await ticked;
    await bench.tick();
    expect(bench.done).toEqual([1, 2, 3]);
  });

  it('waits for an item that never ends no longer than its limit, and logs it', async () => {
    const bench = new Bench([1, 2, 3], true);
    const ticked = bench.tick();
    while (bench.busy < 3) await Promise.resolve();
    await bench.stop(20);
    expect(bench.busy).toBe(3);
    expect(bench.asked).toContain('warned');
    bench.open();
    await ticked;
  });
});
