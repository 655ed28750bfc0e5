import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { nextAttemptAt } from './next-attempt.js';

const PLAN = { delaysMs: [1_000, 10_000, 60_000], withinMs: 300_000 };
const START = new Date('2030-01-01T00:00:00Z');
const later = (ms: number): Date => new Date(START.getTime() + ms);

describe('a failed attempt', () => {
  it.each([
    [1, 0, 1_000],
    [2, 1_000, 11_000],
    [3, 11_000, 71_000],
    [4, 71_000, 131_000],
    [9, 240_000, 300_000],
  ])('number %i, %i ms after the first one, is repeated at %i ms', (failures, now, at) => {
    expect(nextAttemptAt(PLAN, { failures, since: START }, later(now), 0)).toEqual(later(at));
  });

  it('is not repeated when that would be too late', () => {
    expect(nextAttemptAt(PLAN, { failures: 9, since: START }, later(240_001), 0)).toBeNull();
    expect(nextAttemptAt({ ...PLAN, delaysMs: [] }, { failures: 1, since: START }, START, 0)).toBeNull();
  });

  it('is repeated later than now, never after the end, and finally given up', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        let now = START;
        for (let failures = 1; failures < 1000; failures += 1) {
          const at = nextAttemptAt(PLAN, { failures, since: START }, now, random);
          if (at === null) return;
          expect(at.getTime()).toBeGreaterThan(now.getTime());
          expect(at.getTime()).toBeLessThanOrEqual(START.getTime() + PLAN.withinMs);
          now = at;
        }
        throw new Error('It was never given up');
      }),
    );
  });
});
