import { describe, expect, it } from 'vitest';
import { bytes, counted, day, elapsed, money, percent, relative } from './format';

const NOW = Date.parse('2030-06-15T12:00:00Z');
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });

/** Formats in the locale of the test machine. */
const unit = (value: number, name: string, unitDisplay: 'long' | 'short', maximumFractionDigits = 0): string =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits }).format(value);
const currency = (value: number, name: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: name }).format(value);

it.each([
  [0, '0 users'],
  [1, '1 user'],
  [2, '2 users'],
])('%s is so many', (count, words) => expect(counted(count, 'user')).toBe(words));

it('has a plural of its own where the word has one', () => {
  expect([1, 2].map((count) => counted(count, 'match', 'matches'))).toEqual(['1 match', '2 matches']);
});

describe('a time', () => {
  it.each<[string, number, Intl.RelativeTimeFormatUnit]>([
    ['2030-06-15T11:59:00Z', -1, 'minute'],
    ['2030-06-15T11:00:01Z', -59, 'minute'],
    ['2030-06-15T11:00:00Z', -1, 'hour'],
    ['2030-06-14T12:00:01Z', -23, 'hour'],
    ['2030-06-14T12:00:00Z', -1, 'day'],
    ['2030-06-24T13:00:00Z', 9, 'day'],
    ['2030-07-16T12:00:00Z', 1, 'month'],
    ['2028-06-14T12:00:00Z', -2, 'year'],
  ])('%s is %s %s away', (time, count, name) => {
    expect(relative(time, NOW)).toBe(RELATIVE.format(count, name));
  });

  it.each([-59_999, 0, 59_999])('within a minute is just now: %s ms', (ms) => {
    expect(relative(new Date(NOW + ms), NOW)).toBe('just now');
  });

  it.each<[string, number, string]>([
    ['2030-06-15T11:58:01Z', 1, 'minute'],
    ['2030-06-15T10:00:00Z', 2, 'hour'],
    ['2030-06-06T12:00:00Z', 9, 'day'],
  ])('%s has passed for %s %s', (time, count, name) => {
    expect(elapsed(time, NOW)).toBe(unit(count, name, 'short'));
  });

  it.each([59_999, 0, -3_600_000])('has only just passed %s ms ago', (ms) => {
    expect(elapsed(new Date(NOW - ms), NOW)).toBe('just now');
  });

  it('has the same day for every reader', () => {
    expect(day('2030-01-31T23:59:59Z')).toBe(day('2030-01-31'));
    expect(day('2030-02-01T00:00:00Z')).not.toBe(day('2030-01-31'));
  });
});

it.each<[number, string]>([
  [0, unit(0, 'byte', 'long')],
  [1, unit(1, 'byte', 'long')],
  [999, unit(999, 'byte', 'long')],
  [1000, unit(1, 'kilobyte', 'short')],
  [84_400, unit(84, 'kilobyte', 'short')],
  [1_250_000, unit(1.25, 'megabyte', 'short', 1)],
  [3e9, unit(3, 'gigabyte', 'short', 1)],
  [5e12, unit(5000, 'gigabyte', 'short', 1)],
])('%s bytes are %s', (size, text) => {
  expect(bytes(size)).toBe(text);
});

it('a sum is in the smallest unit of its currency', () => {
  expect(money({ value: 900, currency: 'EUR' })).toBe(currency(9, 'EUR'));
  expect(money({ value: 900, currency: 'JPY' })).toBe(currency(900, 'JPY'));
  expect(money({ value: 900, currency: 'KWD' })).toBe(currency(0.9, 'KWD'));
});

it('a share is a percentage with one digit at most', () => {
  expect(percent(0.12549)).toBe(
    new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(0.125),
  );
});
