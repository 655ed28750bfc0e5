import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addDays, daysBetween, isDay } from '../days.js';
import { foldRare } from '../dimensions.js';
import { bucketsOf, rangeOf, wholeMonthsOf } from './range.js';
import { comparedThrough, sharesOf } from './report.js';

const TODAY = '2030-03-01';
const someDay = fc.integer({ min: -800, max: 0 }).map((days) => addDays(TODAY, days));

describe('a range', () => {
  it.each([
    [{}, { from: '2030-02-02', to: TODAY }],
    [{ to: '2030-01-31' }, { from: '2030-01-04', to: '2030-01-31' }],
    [{ from: '2030-02-28' }, { from: '2030-02-28', to: TODAY }],
    [
      { from: TODAY, to: TODAY },
      { from: TODAY, to: TODAY },
    ],
    [{ from: addDays(TODAY, -399) }, { from: addDays(TODAY, -399), to: TODAY }],
  ])('asked for by %j is %j', (query, range) => {
    expect(rangeOf(query, TODAY)).toEqual(range);
  });

  it.each([
    [{ from: '2030-02-29' }, 'from: must be a day of the calendar.'],
    [{ to: '2030-13-01' }, 'to: must be a day of the calendar.'],
    [{ to: '2030-03-02' }, 'to: must not be after today, which is 2030-03-01 in UTC.'],
    [{ from: '2030-02-02', to: '2030-02-01' }, 'from: must not be after `to`.'],
    [{ from: addDays(TODAY, -400) }, 'from: must be at most 400 days before the end of `to`.'],
  ])('is not %j', (query, refusal) => {
    expect(() => rangeOf(query, TODAY)).toThrow(refusal);
  });

  it('has each of its days once in weeks from Monday and in months, in order', () => {
    fc.assert(
      fc.property(
        someDay,
        someDay,
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        (one, other, by) => {
          const [from = one, to = one] = [one, other].toSorted();
          const buckets = bucketsOf({ from, to }, by);
          expect(buckets.flat()).toEqual(daysBetween(from, to));
          for (const [first = ''] of buckets.slice(1)) {
            if (by === 'week') expect(new Date(first).getUTCDay()).toBe(1);
            if (by === 'month') expect(first.slice(8)).toBe('01');
          }
        },
      ),
    );
  });

  it.each([
    ['2030-01-01', '2030-01-31', '2030-01-01', '2030-02-01'],
    ['2029-12-15', '2030-03-14', '2030-01-01', '2030-03-01'],
    ['2030-01-02', '2030-02-27', '2030-01-02', '2030-01-02'],
    ['2030-01-31', '2030-02-28', '2030-02-01', '2030-03-01'],
    ['2030-02-10', '2030-02-09', '2030-02-10', '2030-02-10'],
  ])('from %s to %s has the whole months from %s to before %s', (from, to, first, next) => {
    expect(wholeMonthsOf({ from, to })).toEqual({ first, next });
  });

  it('knows the calendar', () => {
    expect(['2028-02-29', '2030-12-31'].every(isDay)).toBe(true);
    expect(
      ['2030-02-29', '2030-2-1', '2030-00-10', '0000-01-01', '0001-01-05', '', '2030-01-01T00:00:00Z'].some(isDay),
    ).toBe(false);
  });
});

describe('the last day that is compared', () => {
  const range = { from: '2030-02-02', to: TODAY };
  const CLOSED = '2030-02-27';
  const installs = { active: 2, new: 0, unique7: 2, unique28: 2 };

  it.each([
    ['the last final one', ['2030-02-01', CLOSED, TODAY], CLOSED],
    ['the last final one, where all installs fell silent before', ['2030-01-20'], CLOSED],
    ['the last of the range, where the first installs came since', [TODAY], TODAY],
    ['the last of the range, where none ever came', [], TODAY],
  ])('is %s', (_, days, last) => {
    const totals = new Map(days.map((day) => [day, installs]));
    expect(comparedThrough(range, CLOSED, totals)).toBe(last);
  });
});

describe('the separate values', () => {
  const counted = fc.uniqueArray(
    fc.record({ value: fc.constantFrom('', 'other', ...'abcdefghij'), installs: fc.integer({ min: 1, max: 5 }) }),
    { selector: ({ value }) => value },
  );
  const sum = (values: readonly { readonly installs: number }[]): number =>
    values.reduce((all, { installs }) => all + installs, 0);

  it('are the most frequent, in any order, and no install is lost', () => {
    fc.assert(
      fc.property(counted, fc.nat(8), (values, most) => {
        const folded = foldRare(values, most);
        expect(foldRare(values.toReversed(), most)).toEqual(folded);
        expect(foldRare(folded, most)).toEqual(folded);
        expect(sum(folded)).toBe(sum(values));
        const named = folded.filter(({ value }) => !['', 'other'].includes(value));
        expect(named.length).toBeLessThanOrEqual(most);
        const gone = values.filter(({ value }) => !folded.some((one) => one.value === value));
        for (const one of gone) for (const kept of named) expect(kept.installs).toBeGreaterThanOrEqual(one.installs);
      }),
    );
  });

  it('have shares that add up to one, and null for unknown', () => {
    const { os, browser } = sharesOf([
      { dimension: 'os', value: 'Linux', installs: 1 },
      { dimension: 'os', value: '', installs: 2 },
      { dimension: 'os', value: 'Linux', installs: 1 },
    ]);
    expect(os).toEqual([
      { value: null, installs: 2, share: 0.5 },
      { value: 'Linux', installs: 2, share: 0.5 },
    ]);
    expect(browser).toEqual([]);
  });
});
