import { expect, it } from 'vitest';
import { daysIn, noticesIn } from './notices';

it.each([
  ['', []],
  [' 30,7  1 ', [30, 7, 1]],
  ['a week', [-1, -1]],
])('the days in %j are %j', (text, days) => {
  expect(noticesIn(text)).toEqual(days);
});

it.each([
  ['7', 7],
  [' 0 ', 0],
  ['', -1],
  ['seven', -1],
])('%j is %d days', (text, days) => {
  expect(daysIn(text)).toBe(days);
});
