import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { byRecentUse, mostOf, releasesByDay, sharesOf, type Series } from './series';

const one = (label: string, ...values: readonly number[]): Series => ({ label, values });
const labels = (series: readonly Series[]): string => series.map(({ label }) => label).join(' ');
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Some series of as many days each. */
const SERIES = fc
  .tuple(fc.nat(12), fc.nat(40))
  .chain(([count, days]) =>
    fc.array(fc.array(fc.nat(1000), { minLength: days, maxLength: days }), { minLength: count, maxLength: count }),
  )
  .map((all) => all.map((values, at) => one(String(at), ...values)));
const daysOf = (series: readonly Series[]): readonly number[] => (series[0]?.values ?? []).map((_, day) => day);
const totals = (series: readonly Series[]): readonly number[] =>
  daysOf(series).map((day) => sum(series.map(({ values }) => values[day] ?? 0)));

describe('the areas of a stack', () => {
  it('are five, and one for all others where there are more than six', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((label, at) => one(label, at, 1));
    expect(mostOf(six, 'rest')).toBe(six);
    const most = mostOf([...six, one('g', 10, 1)], 'rest');
    expect(labels(most)).toBe('a b c d e rest');
    expect(most.at(-1)?.values).toEqual([15, 2]);
  });

  it('are as many installs as before on each day', () => {
    fc.assert(
      fc.property(SERIES, (series) => {
        expect(totals(mostOf(series, 'rest'))).toEqual(totals(series));
      }),
    );
  });

  it('have first what was most frequent in the last 28 days, and the rest last', () => {
    const before = Array.from({ length: 28 }, () => 0);
    const series = [one('old', 99, ...before), one('rest', 999, ...before, 9), one('new', 0, ...before.slice(1), 1)];
    expect(labels(byRecentUse(series, 'rest'))).toBe('new old rest');
  });

  it('are the whole of each day with installs, and nothing of a day without', () => {
    expect(sharesOf([one('a', 1, 0), one('b', 3, 0)])).toEqual([one('a', 0.25, 0), one('b', 0.75, 0)]);
    fc.assert(
      fc.property(SERIES, (series) => {
        const installs = totals(series);
        for (const [day, share] of totals(sharesOf(series)).entries())
          expect(share).toBeCloseTo(installs[day] === 0 ? 0 : 1, 9);
      }),
    );
  });
});

it('what went live on a day names each version once, and each of its stores once', () => {
  const live = (date: string, version: string, store: string | null) =>
    ({ date, version, store }) as Parameters<typeof releasesByDay>[0][number];
  const days = releasesByDay([
    live('2030-01-01', '1.4.0', 'chrome'),
    live('2030-01-01', '1.3.9', null),
    live('2030-01-01', '1.4.0', 'edge'),
    live('2030-01-01', '1.4.0', 'chrome'),
    live('2030-01-02', '1.4.0', 'opera'),
  ]);
  expect([...days]).toEqual([
    ['2030-01-01', '1.4.0 at Chrome and Edge, 1.3.9 at a former store'],
    ['2030-01-02', '1.4.0 at opera'],
  ]);
});
