import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asList, asNumber, asRecord, asText, sizeOfJson, type JsonSize } from './plain-json.js';

const VALUES = [undefined, null, 0, 1.5, NaN, '', ' ', 'text', true, [], [1], {}, { a: 1 }];

describe('unknown JSON', () => {
  it('is read only where it has the wanted type', () => {
    expect(VALUES.map(asRecord).filter(Boolean)).toEqual([{}, { a: 1 }]);
    expect(VALUES.map(asText).filter(Boolean)).toEqual(['text']);
    expect(VALUES.map(asNumber).filter((one) => one !== undefined)).toEqual([0, 1.5]);
    expect(VALUES.flatMap(asList)).toEqual([1]);
  });
});

const sizeOf = (value: unknown): JsonSize => {
  if (typeof value !== 'object' || value === null) return { entries: 0, depth: 0 };
  const inner = Object.values(value).map(sizeOf);
  const entries = inner.reduce((sum, one) => sum + one.entries, inner.length);
  return { entries, depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)) };
};

it.each<[string, number, number]>([
  ['1', 0, 0],
  ['[]', 0, 1],
  [' [ { } , 1 ] ', 2, 2],
  ['{"a,[": "\\"{,", "b\\\\": [1, {"c": 2}]}', 5, 3],
  ['{"a":1,"a":2}', 2, 1],
  ['"open [', 0, 0],
])('%s has %i entries in %i levels', (text, entries, depth) => {
  expect(sizeOfJson(Buffer.from(text))).toEqual({ entries, depth });
});

it('any JSON has the entries and the levels of what is made of it', () => {
  const value = fc.jsonValue();
  const spaces = fc.constantFrom('', ' ', '\t');
  fc.assert(
    fc.property(value, spaces, (json, space) => {
      expect(sizeOfJson(Buffer.from(JSON.stringify(json, null, space)))).toEqual(sizeOf(json));
    }),
  );
});
