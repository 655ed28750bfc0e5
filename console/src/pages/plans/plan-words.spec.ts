import { expect, it } from 'vitest';
import { termsOf, trialsText } from './plan-words';

const NONE = { duration: null, durationFrom: 'issue', graceDays: 0, onEnd: 'expire', trialDays: null } as const;

it.each([
  [{}, ''],
  // Without a duration, nothing begins.
  [{ durationFrom: 'activation' }, ''],
  [{ duration: 'P1Y' }, ''],
  [{ duration: 'P1Y', durationFrom: 'activation', trialDays: 14 }, 'from the first device, 14 days of trial'],
  [{ graceDays: 1, onEnd: 'maintain' }, '1 day of grace, then for versions released before'],
] as const)('a plan with %j has the terms %j', (part, words) => {
  expect(termsOf({ ...NONE, ...part })).toBe(words);
});

it.each([
  [
    { running: 1_200, converted: 1, ended: 3, refused: 0, conversion: 0.25 },
    '1,200 running. In the last 30 days 1 became a license and 3 expired without one, which is 25%.',
  ],
  [
    { running: 0, converted: 0, ended: 0, refused: 1, conversion: null },
    '0 running. In the last 30 days 0 became licenses and 0 expired without one. 1 more was refused at a limit.',
  ],
])('the figures %j are told', (figures, words) => {
  expect(trialsText(figures)).toBe(words);
});
