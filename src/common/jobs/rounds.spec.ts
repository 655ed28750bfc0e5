import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Rounds } from './rounds.js';

/** Items that are due, worked on only when the test lets them. */
class Bench {
  readonly asked: string[] = [];
  readonly done: number[] = [];
  inHand = 0;
  mostInHand = 0;
  open: () => void = () => undefined;
  private readonly gate: Promise<void>;
  readonly rounds: Rounds<number>;

  constructor(
    private readonly due: number[],
    isShut = false,
  ) {
    this.gate = isShut ? new Promise((resolve) => (this.open = resolve)) : Promise.resolve();
    const log = new Logger('Bench');
    log.error = () => void this.asked.push('logged');
    log.warn = () => void this.asked.push('warned');
    this.rounds = new Rounds(log, {
      everyMs: 1000,
      concurrency: 3,
      claim: async () => this.note('claim', this.due.shift() ?? null),
      carryOut: (item) => this.carryOut(item),
      dueInMs: async () => this.note('due', this.due.length === 0 ? null : 0),
    });
  }

  private note<T>(what: string, answer: T): T {
    this.asked.push(what);
    return answer;
  }

  private async carryOut(item: number): Promise<void> {
    this.inHand += 1;
    this.mostInHand = Math.max(this.mostInHand, this.inHand);
    await this.gate;
    await setImmediate();
    this.inHand -= 1;
    if (item < 0) throw new Error('Odd item');
    this.done.push(item);
  }
}

describe('a round', () => {
  it('asks once when nothing is due', async () => {
    const bench = new Bench([]);
    await bench.rounds.tick();
    expect(bench.asked).toEqual(['due']);
  });

  it('costs little more than what is due', async () => {
    const bench = new Bench([1]);
    await bench.rounds.tick();
    expect(bench.asked.filter((what) => what === 'claim').length).toBeLessThanOrEqual(3);
  });

  it('works on everything, a few items at a time', async () => {
    const bench = new Bench([1, 2, 3, 4, 5, 6, 7]);
    await Promise.all([bench.rounds.tick(), bench.rounds.tick()]);
    expect(bench.done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(bench.mostInHand).toBe(3);
  });

  it('goes on when an item goes wrong', async () => {
    const bench = new Bench([1, -1, 2, 3, 4, 5]);
    await bench.rounds.tick();
    expect(bench.done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(bench.asked).toContain('logged');
  });
});

describe('a stop', () => {
  it('lets the items in hand end, and begins no other', async () => {
    const bench = new Bench([1, 2, 3, 4], true);
    const ticked = bench.rounds.tick();
    while (bench.inHand < 3) await Promise.resolve();
    const stopped = bench.rounds.stop();
    bench.open();
    await stopped;
    expect(bench.done).toEqual([1, 2, 3]);
    await ticked;
    await bench.rounds.tick();
    expect(bench.done).toEqual([1, 2, 3]);
  });

  it('waits for an item that never ends no longer than its limit, and says so', async () => {
    const bench = new Bench([1, 2, 3], true);
    const ticked = bench.rounds.tick();
    while (bench.inHand < 3) await Promise.resolve();
    await bench.rounds.stop(20);
    expect(bench.inHand).toBe(3);
    expect(bench.asked).toContain('warned');
    bench.open();
    await ticked;
  });
});
