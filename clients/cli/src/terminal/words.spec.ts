import { describe, expect, it } from 'vitest';
import { bytes, duration, list, parseDuration, relative } from './words.js';

describe('words', () => {
  it.each([
    [-5, '0 s'],
    [41_999, '41 s'],
    [60_000, '1 min'],
    [7_199_000, '1 h'],
    [86_400_000, '1 day'],
    [12 * 86_400_000, '12 days'],
  ])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    ['2026-11-22T09:58:00Z', '2 min ago'],
    ['2026-11-22T13:00:00Z', 'in 3 h'],
  ])('%s at ten is %s', (time, text) => expect(relative(time, new Date('2026-11-22T10:00:00Z'))).toBe(text));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [84_213, '84 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [200_000_000, '200.0 MB'],
  ])('%d bytes are %s', (count, text) => expect(bytes(count)).toBe(text));

  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j is "%s"', (words, text) => expect(list(words)).toBe(text));

  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['2d', 172_800_000],
    ['0', 0],
    ['', null],
    ['-1', null],
    ['1.5h', null],
    ['1w', null],
  ])('the duration %j is %j', (text, ms) => expect(parseDuration(text)).toBe(ms));
});
