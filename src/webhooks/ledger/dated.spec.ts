import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeDated, newestFirst, type DatedValues } from './dated.js';

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
