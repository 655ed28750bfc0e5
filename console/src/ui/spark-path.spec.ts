import { expect, it } from 'vitest';
import { sparkPath } from './spark-path';

const BOX = { width: 10, height: 13 };

it.each([
  ['rises from zero to the top', [0, 10], 'M0,11.5L10,1.5'],
  ['is flat at the bottom when all is zero', [0, 0, 0], 'M0,11.5L5,11.5L10,11.5'],
  ['crosses days that are not known', [10, null, 5], 'M0,1.5L10,6.5'],
  ['starts on the first known day', [null, 5, 10], 'M5,6.5L10,1.5'],
  ['is nothing without values', [null, null], ''],
])('the line %s', (_, values, line) => {
  expect(sparkPath(values, BOX).line).toBe(line);
});

it('the area goes down to the bottom below the line alone', () => {
  expect(sparkPath([null, 5, 10], BOX).area).toBe('M5,6.5L10,1.5L10,13L5,13Z');
});
