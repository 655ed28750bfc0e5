import { expect, it } from '@jest/globals';
import { snoozeTimes } from './snooze-times';

it.each([
  ['on a Friday', new Date(2030, 1, 1, 17), new Date(2030, 1, 2, 9), new Date(2030, 1, 4, 9)],
  ['on a Sunday', new Date(2030, 1, 3, 17), new Date(2030, 1, 4, 9), new Date(2030, 1, 4, 9)],
  ['on a Monday', new Date(2030, 1, 4, 8), new Date(2030, 1, 5, 9), new Date(2030, 1, 11, 9)],
  ['at the end of a month', new Date(2030, 0, 31, 17), new Date(2030, 1, 1, 9), new Date(2030, 1, 4, 9)],
])('the usual ends of a snooze %s', (_, now, tomorrow, nextWeek) => {
  expect(snoozeTimes(now)).toEqual({ tomorrow, nextWeek });
});
