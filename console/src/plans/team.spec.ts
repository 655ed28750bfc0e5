import { expect, it } from 'vitest';
import { limitIn, shownLimit, shownTeam } from './team';

it.each([
  ['', null],
  [' 5 ', 5],
  ['0', 0],
  ['five', -1],
])('%j is the limit %s', (text, limit) => {
  expect(limitIn(text)).toBe(limit);
});

it.each([null, 0, 12])('the limit %s is shown as it is typed', (limit) => {
  expect(limitIn(shownLimit(limit))).toBe(limit);
});

it.each([
  [null, null, ''],
  [1, null, 'for 1 person besides the buyer'],
  [5, 2, 'for 5 people besides the buyer, 2 each'],
])('a plan with %s people and %s devices for each is %j', (maxMembers, seatsPerMember, words) => {
  expect(shownTeam({ maxMembers, seatsPerMember })).toBe(words);
});
