import { expect, it } from 'vitest';
import { durationIn, shownDuration } from './duration';

it.each([
  ['', null, ''],
  ['1 year', 'P1Y', '1 year'],
  ['12months', 'P12M', '12 months'],
  [' 30 d ', 'P30D', '30 days'],
  ['0 days', 'P0D', '0 days'],
])('%j is the duration %s, which is shown as %j', (text, duration, shown) => {
  expect(durationIn(text)).toBe(duration);
  expect(shownDuration(duration)).toBe(shown);
});

it('what is no duration is left to the service', () => {
  expect(durationIn('a while')).toBe('a while');
});
