import { describe, expect, it } from 'vitest';
import { daysLater, monthsLater, readDay, weeksOf } from './days';

describe('a typed day', () => {
  it.each<[typed: string, day: string | null]>([
    ['2027-03-31', '2027-03-31'],
    [' 2027-3-1 ', '2027-03-01'],
    ['2027/3/31', '2027-03-31'],
    ['31 Mar 2027', '2027-03-31'],
    ['31. march 2027', '2027-03-31'],
    ['Mar 31, 2027', '2027-03-31'],
    ['December 1 2027', '2027-12-01'],
    ['2028-02-29', '2028-02-29'],
    ['2027-02-29', null],
    ['2027-13-01', null],
    ['0000-01-01', null],
    ['31 Abc 2027', null],
    ['anf 3 2027', null],
    ['3/4/2027', null],
    ['2027', null],
    ['', null],
  ])('%j is %j', (typed, day) => expect(readDay(typed)).toBe(day));
});

describe('a day in the calendar', () => {
  it('is followed by the next one, across months and years', () => {
    expect(daysLater('2027-12-31', 1)).toBe('2028-01-01');
    expect(daysLater('2028-03-01', -1)).toBe('2028-02-29');
  });

  it.each([
    ['2027-01-31', 1, '2027-02-28'],
    ['2027-03-31', -1, '2027-02-28'],
    ['2027-12-15', 1, '2028-01-15'],
    ['2027-05-20', -12, '2026-05-20'],
  ])('%s and %i months is %s', (day, months, then) => expect(monthsLater(day, months)).toBe(then));

  it('stands in weeks that begin as the reader is used to', () => {
    expect(weeksOf('2027-02-10', 1).map(([first]) => first)).toEqual([
      '2027-02-01',
      '2027-02-08',
      '2027-02-15',
      '2027-02-22',
    ]);
    expect(weeksOf('2027-02-10', 7).map(([first]) => first)).toEqual([
      '2027-01-31',
      '2027-02-07',
      '2027-02-14',
      '2027-02-21',
      '2027-02-28',
    ]);
  });
});
