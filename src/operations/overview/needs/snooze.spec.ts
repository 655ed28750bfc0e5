import { describe, expect, it } from '@jest/globals';
import { isSnoozed, type Snooze } from './snooze.js';

const at = (day: number): Date => new Date(Date.UTC(2030, 0, day));
const SNOOZE: Snooze = { until: at(10), since: at(4), count: 3, at: at(1), message: 'Add a screenshot.' };
const NEED = { count: 3, at: at(1), message: 'Add a screenshot.', turn: 'you' } as const;

describe('a need that was snoozed until the tenth', () => {
  it.each<[string, Parameters<typeof isSnoozed>[0], Date, boolean]>([
    ['stays hidden on the ninth', NEED, at(9), true],
    ['comes back on the tenth', NEED, at(10), false],
    ['comes back when it is about more things', { ...NEED, count: 4 }, at(9), false],
    ['stays hidden when it is about fewer', { ...NEED, count: 2 }, at(9), true],
    ['stays hidden when the oldest of them is done', { ...NEED, count: 2, at: at(3) }, at(9), true],
    ['comes back when they are done and fewer came since', { ...NEED, count: 2, at: at(5) }, at(9), false],
    ['comes back when one is done and another one came', { ...NEED, at: at(3) }, at(9), false],
    ['comes back when it ended and began anew', { ...NEED, at: at(8) }, at(9), false],
    ['comes back when its beginning is no longer known', { ...NEED, at: null }, at(9), false],
    ['comes back when the store asks for something else', { ...NEED, message: 'Add an icon.' }, at(9), false],
    [
      'stays hidden when the store fails otherwise while Pierhead keeps asking it',
      { ...NEED, turn: 'store', message: '503' },
      at(9),
      true,
    ],
  ])('%s', (_, need, now, hidden) => {
    expect(isSnoozed(need, SNOOZE, now)).toBe(hidden);
  });

  it('stays hidden when its beginning was never known', () => {
    expect(isSnoozed({ ...NEED, at: null }, { ...SNOOZE, at: null }, at(9))).toBe(true);
  });
});
