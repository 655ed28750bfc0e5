import { describe, expect, it } from 'vitest';
import { figuresOf } from './firefox.figures.js';

describe('figures of AMO', () => {
  it.each([
    [
      { average_daily_users: 12, weekly_downloads: 3, ratings: { average: 4.5, count: 2 } },
      { users: 12, weeklyDownloads: 3, ratings: 2, rating: 4.5 },
    ],
    [
      { average_daily_users: 0, ratings: { average: 0, count: 0 } },
      { users: 0, ratings: 0 },
    ],
    [{ average_daily_users: '12', weekly_downloads: -1, ratings: null }, {}],
    [{}, {}],
  ])('of %j', (addon, expected) => {
    const figures = figuresOf(addon, '2026-03-05');
    expect(Object.fromEntries(figures.map(({ metric, amount }) => [metric, amount]))).toEqual(expected);
    expect(figures.every(({ day }) => day === '2026-03-05')).toBe(true);
  });
});
