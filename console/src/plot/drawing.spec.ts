import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { dayAfter, drawnOf, shownOf, stacked, tickName, topOf } from './drawing';

const DAYS = ['2030-01-01', '2030-01-02', '2030-01-03'];

describe('the days of a plot', () => {
  it.each([
    ['2030-01-03', 2],
    ['2030-01-04', 3],
    ['2030-01-02', 1],
    ['2030-01-01', 3],
    ['2029-12-01', 3],
  ])('are drawn where they are final, or all where none is: open from %s, %s', (openFrom, drawn) => {
    expect(drawnOf({ days: DAYS, openFrom })).toBe(drawn);
  });

  it.each([
    ['the one that is pointed at', '2030-01-03', 2, 2],
    ['the last final one where none is pointed at', '2030-01-03', null, 1],
    ['the last final one where a day is pointed at that is not shown', '2030-01-02', 3, 0],
    ['the last one where none is final', '2030-01-01', null, 2],
  ])('have the values shown of %s', (_, openFrom, pointed, shown) => {
    expect(shownOf({ days: DAYS, openFrom }, pointed)).toBe(shown);
  });

  it.each([
    ['ArrowLeft', 1, 0],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 1, 2],
    ['ArrowRight', 2, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['a', 1, undefined],
  ])('are gone through by keys: %s from %s to %s', (key, shown, next) => {
    expect(dayAfter(key, shown, 2)).toBe(next);
  });
});

describe('the scale of a plot', () => {
  it('has room for every value, and a height where there is none', () => {
    fc.assert(fc.property(fc.nat(), (highest) => topOf('lines', highest) >= Math.max(highest, 1)));
    expect(topOf('lines', 0)).toBe(1);
    expect(topOf('lines', 100)).toBe(105);
    expect(topOf('stack', 0.4)).toBe(1);
  });

  it('names no part of an install, but every share', () => {
    const name = (kind: 'lines' | 'stack', tick: number): string => tickName({ kind, format: String }, tick);
    expect([name('lines', 2), name('lines', 2.5), name('stack', 0.5), name('stack', 1)]).toEqual(['2', '', '0.5', '1']);
  });

  it('stacks each area on those below it', () => {
    const values = [
      [0.5, 0],
      [0.25, 0],
      [0.25, 1],
    ];
    expect(stacked(values.map((one, at) => ({ label: String(at), values: one })))).toEqual([
      [0.5, 0],
      [0.75, 0],
      [1, 1],
    ]);
    expect(stacked([])).toEqual([]);
  });
});
