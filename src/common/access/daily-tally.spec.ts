import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DailyTally } from './daily-tally.js';

const keyOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const taken = (tally: DailyTally, day: string, key: Buffer, times: number): number =>
  Array.from({ length: times }).filter(() => tally.take(day, key, 50)).length;

describe('a daily tally', () => {
  it('admits a key up to its limit, until the next day', () => {
    const tally = new DailyTally();
    expect(taken(tally, '2030-01-01', keyOf('a'), 60)).toBe(50);
    expect(taken(tally, '2030-01-01', keyOf('b'), 3)).toBe(3);
    expect(taken(tally, '2030-01-02', keyOf('a'), 60)).toBe(50);
  });

  it('takes back counts of the same day', () => {
    const tally = new DailyTally();
    taken(tally, '2030-01-01', keyOf('a'), 50);
    tally.undo('2030-01-01', keyOf('a'));
    expect(taken(tally, '2030-01-01', keyOf('a'), 5)).toBe(1);
    tally.undo('2029-12-31', keyOf('a'));
    expect(taken(tally, '2030-01-01', keyOf('a'), 5)).toBe(0);
    tally.undo('2030-01-01', keyOf('nobody'));
    expect(taken(tally, '2030-01-01', keyOf('nobody'), 60)).toBe(50);
  });

  it('keeps the counts of a day when a late one of the day before arrives', () => {
    const tally = new DailyTally();
    taken(tally, '2030-01-02', keyOf('a'), 50);
    expect(taken(tally, '2030-01-01', keyOf('a'), 1)).toBe(1);
    expect(taken(tally, '2030-01-02', keyOf('a'), 1)).toBe(0);
  });

  it('counts the two numbers of a key apart', () => {
    const tally = new DailyTally();
    const last = 2 ** 21 - 1;
    const keyWith = (first: number, second: number): Buffer => Buffer.from(Uint32Array.of(first, second).buffer);
    for (const key of [keyWith(0, 1), keyWith(1, 7)]) expect(tally.take('2030-01-01', key, 1)).toBe(true);
    expect(tally.take('2030-01-01', keyWith(last, last), 1)).toBe(true);
  });

  it('refuses no other key after a million keys and one flood', () => {
    const tally = new DailyTally();
    const flood = keyOf('flood');
    for (let one = 0; one < 100_000; one += 1) tally.take('2030-01-01', flood, 50);
    let refused = 0;
    for (let count = 0; count < 1_000_000; count += 8) {
      // Eight keys of eight bytes.
      const keys = createHash('sha512').update(String(count)).digest();
      for (let at = 0; at < 64; at += 8) if (!tally.take('2030-01-01', keys.subarray(at, at + 8), 50)) refused += 1;
    }
    expect(refused).toBe(0);
  });
});
