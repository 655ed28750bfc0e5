import { describe, expect, it } from 'vitest';
import { compared, comparedDays, meanOf, previousOf } from './compared.js';

describe('the days before a range', () => {
  it.each([
    ['2030-02-02', '2030-03-01', '2030-01-05', '2030-02-01'],
    ['2030-03-01', '2030-03-01', '2030-02-28', '2030-02-28'],
    ['2029-01-01', '2029-12-31', '2028-01-02', '2028-12-31'],
  ])('from %s to %s are %s to %s', (from, to, first, last) => {
    expect(previousOf({ from, to })).toEqual({ from: first, to: last });
  });

  it.each([
    ['all that are final', '2030-02-28', '2030-02-23', '2030-02-28', '2030-02-16', '2030-02-21'],
    ['one, on the second day', '2030-02-23', '2030-02-23', '2030-02-23', '2030-02-16', '2030-02-16'],
    ['all of a range that is over', '2030-03-01', '2030-02-23', '2030-03-01', '2030-02-16', '2030-02-22'],
    ['all where none is final', '2030-02-22', '2030-02-23', '2030-03-01', '2030-02-16', '2030-02-22'],
  ])('of 23 February to 1 March are compared with %s', (_, closedThrough, from, to, beforeFrom, beforeTo) => {
    expect(comparedDays({ from: '2030-02-23', to: '2030-03-01' }, closedThrough)).toEqual({
      now: { from, to },
      before: { from: beforeFrom, to: beforeTo },
    });
  });
});

it.each([
  [112, 100, 0.12],
  [0, 3, -1],
  [2, 3, -0.333333],
  [3, 0, null],
  [0, 0, null],
  [3, null, null],
])('%i after %j is a change of %j', (value, before, change) => {
  expect(compared(value, before)).toEqual({ value, before, change });
});

it.each([
  ['2029-12-01', 4],
  ['2030-01-02', 6],
  ['2030-01-03', 12],
  ['2030-01-04', 12],
])('the mean of three days with 12 installs is, since %s, %i', (began, mean) => {
  expect(meanOf(12, ['2030-01-01', '2030-01-02', '2030-01-03'], began)).toBe(mean);
});
