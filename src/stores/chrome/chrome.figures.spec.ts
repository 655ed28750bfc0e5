import { describe, expect, it } from 'vitest';
import { figuresOf, ratingsFrom, timeSpec, type MetricsQuery } from './chrome.figures.js';

const DATE = { year: 2026, month: 3, day: 5 };
const readingOf = (rows: readonly unknown[], dimension?: string) =>
  figuresOf((query: MetricsQuery) => Promise.resolve(query.dimension === dimension ? rows : []));

describe('figures of Chrome', () => {
  it('are read from counts in text; a zero is left out of the answer, and a metric without an entry is unknown', async () => {
    const metricValues = [{ metric: 'users', value: '120' }, { metric: 'installs' }];
    expect(await readingOf([{ date: DATE, metricValues }])).toEqual([
      { day: '2026-03-05', metric: 'users', amount: 120 },
      { day: '2026-03-05', metric: 'installs', amount: 0 },
    ]);
  });

  it.each(['false', 'FALSE', 'disabled'])('count users with `enabled` %s as disabled', async (value) => {
    const metricValues = [{ metric: 'users', value: '7' }];
    const rows = [value, 'true', 'new'].map((one) => ({ date: DATE, dimensionValues: [one], metricValues }));
    expect(await readingOf(rows, 'enabled')).toEqual([{ day: '2026-03-05', metric: 'disabled', amount: 7 }]);
  });

  it('are divided by the names that Chrome gives, of which a long one is cut', async () => {
    const rows = ['2.0.1', 'x'.repeat(100)].map((value) => ({
      date: DATE,
      dimensionValues: [value],
      metricValues: [{ metric: 'users', value: '1' }],
    }));
    const figures = await readingOf(rows, 'app-version');
    expect(figures[0]).toEqual({
      day: '2026-03-05',
      metric: 'users',
      of: { dimension: 'version', value: '2.0.1' },
      amount: 1,
    });
    expect(figures[1]?.of?.value.length).toBeLessThanOrEqual(65);
  });

  it.each([
    ['no date', { metricValues: [{ metric: 'users', value: '1' }] }],
    ['no object', 'text'],
    ['a date in words', { date: { year: '2026' }, metricValues: [] }],
    ['no values', { date: DATE }],
  ])('leave out a row with %s', async (_, row) => {
    expect(await readingOf([row])).toEqual([]);
  });

  it.each(['-1', '1.5', '1e3', 'many', '9'.repeat(30), -1, Number.NaN])('take %p for no count', async (value) => {
    expect(await readingOf([{ date: DATE, metricValues: [{ metric: 'users', value }] }])).toEqual([]);
  });
});

describe('ratingsFrom', () => {
  it.each([
    [
      { rating: 4.25, ratingCount: '12' },
      [
        ['ratings', 12],
        ['rating', 4.25],
      ],
    ],
    [{ name: 'publishers/p/items/i/ratingSummary' }, [['ratings', 0]]],
    [{ rating: 0, ratingCount: '0' }, [['ratings', 0]]],
    ['text', []],
  ])('reads %j', (json, expected) => {
    expect(ratingsFrom(json, '2026-03-05').map(({ metric, amount }) => [metric, amount])).toEqual(expected);
  });
});

describe('timeSpec', () => {
  it('names each part of both days, without leading zeros', () => {
    expect(
      new URLSearchParams(timeSpec({ from: '2026-03-05', to: '2026-11-20' }).map(([...pair]) => pair)).toString(),
    ).toBe(
      'timeSpec.firstDate.year=2026&timeSpec.firstDate.month=3&timeSpec.firstDate.day=5' +
        '&timeSpec.lastDate.year=2026&timeSpec.lastDate.month=11&timeSpec.lastDate.day=20',
    );
  });
});
