import { expect, it } from 'vitest';
import fc from 'fast-check';
import { changedAt, joinById, mergeDated, newerOf, newestFirst, type Dated, type DatedValues } from './dated.js';

const [EARLIER, LATER] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];

it.each(['constructor', 'toString', '__proto__', 'plan'])('a value called %s is dated like any other', (value) => {
  const named: DatedValues = { [value]: EARLIER };
  expect(Object.entries(mergeDated({}, named))).toEqual([[value, EARLIER]]);
  expect(Object.entries(mergeDated(named, {}))).toEqual([[value, EARLIER]]);
  expect(newestFirst(mergeDated(named, { other: LATER }))).toEqual(['other', value]);
});

it('merges histories with the same result in any order and with repetitions', () => {
  const values = fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), fc.constantFrom(EARLIER, LATER));
  fc.assert(
    fc.property(values, values, (one, other) => {
      const merged = JSON.stringify(mergeDated(one, other));
      expect(JSON.stringify(mergeDated(other, one))).toBe(merged);
      expect(JSON.stringify(mergeDated(mergeDated(one, other), other))).toBe(merged);
    }),
  );
});

const named = (value: string, at = EARLIER): Dated<string> => ({ at, value });

it.each<[string, Dated<string> | null, Dated<string> | null, Dated<string> | null]>([
  ['there is one', null, named('a'), named('a')],
  ['one is newer, whatever the weights', named('heavy'), named('a', LATER), named('a', LATER)],
  ['one has more weight at the same time', named('heavy'), named('z'), named('heavy')],
  ['one sorts last at the same time and weight', named('a'), named('b'), named('b')],
  ['there is none', null, null, null],
])('of two values the same one counts in either order when %s', (_, one, other, expected) => {
  const weightOf = (value: string): number => (value === 'heavy' ? 2 : 1);
  expect(newerOf(one, other, weightOf)).toEqual(expected);
  expect(newerOf(other, one, weightOf)).toEqual(expected);
});

it('joins values by their ids, in the order of the ids', () => {
  const joined = joinById({ b: named('old'), a: named('a') }, { c: named('c'), b: named('new', LATER) }, newerOf);
  expect(Object.entries(joined)).toEqual([
    ['a', named('a')],
    ['b', named('new', LATER)],
    ['c', named('c')],
  ]);
});

it('knows since when the current value has replaced another', () => {
  expect(changedAt({})).toBeNull();
  expect(changedAt({ a: LATER })).toBeNull();
  expect(changedAt({ a: LATER, b: EARLIER })).toBe(EARLIER);
  expect(newestFirst({ a: LATER, b: LATER, c: EARLIER })).toEqual(['b', 'a', 'c']);
});
