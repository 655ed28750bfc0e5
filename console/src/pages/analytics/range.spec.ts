import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addDays, dayOf, MAX_DAYS, rangeOf } from './range';

const NOW = Date.parse('2030-03-01T00:30:00Z');
const range = (query: string) => rangeOf(new URLSearchParams(query), NOW);

describe('the days that an address names', () => {
  it.each([
    ['', '2030-02-02', '2030-03-01', '28'],
    ['days=7', '2030-02-23', '2030-03-01', '7'],
    ['days=365', '2029-03-02', '2030-03-01', '365'],
    ['days=custom', '2030-02-02', '2030-03-01', '28'],
    ['days=-1', '2030-02-02', '2030-03-01', '28'],
    ['from=2030-01-31&to=2030-02-01', '2030-01-31', '2030-02-01', 'custom'],
    ['from=2030-01-31', '2030-01-31', '2030-03-01', 'custom'],
    ['to=2030-02-01', '2030-01-05', '2030-02-01', 'custom'],
    ['from=2030-02-02&to=2030-02-01', '2030-01-05', '2030-02-01', 'custom'],
    ['from=2030-02-02&to=2031-01-01', '2030-02-02', '2030-03-01', 'custom'],
    ['from=2030-03-02', '2030-02-02', '2030-03-01', 'custom'],
    ['from=1999-01-01&to=2030-02-01', '2028-12-29', '2030-02-01', 'custom'],
    ['from=2030-02-30', '2030-02-02', '2030-03-01', '28'],
    ['from=0001-01-01', '2030-02-02', '2030-03-01', '28'],
    ['from=2030-1-1&days=7', '2030-02-23', '2030-03-01', '7'],
  ])('“%s” are %s to %s, by the choice %s', (query, from, to, choice) => {
    expect(range(query)).toEqual({ from, to, choice });
  });

  it('are days that the service reports on, whatever somebody typed', () => {
    const day = fc.oneof(
      fc.string(),
      fc.integer({ min: -(10 ** 13), max: 10 ** 13 }).map(dayOf),
      fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    );
    fc.assert(
      fc.property(fc.option(day), fc.option(day), fc.option(fc.string()), (from, to, days) => {
        const typed = Object.entries({ from, to, days }).filter(([, value]) => value !== null) as [string, string][];
        const { from: first, to: last } = range(new URLSearchParams(typed).toString());
        expect(first <= last && last <= dayOf(NOW)).toBe(true);
        expect(first > addDays(last, -MAX_DAYS)).toBe(true);
        for (const one of [first, last]) expect(one).toBe(dayOf(Date.parse(one)));
      }),
    );
  });
});
