import { describe, expect, it } from 'vitest';
import { asList, asNumber, asRecord, asText, hasMoreEntriesThan } from './plain-json.js';

const VALUES = [undefined, null, 0, 1.5, NaN, '', ' ', 'text', true, [], [1], {}, { a: 1 }];

describe('unknown JSON', () => {
  it('is read only where it has the wanted type', () => {
    expect(VALUES.map(asRecord).filter(Boolean)).toEqual([{}, { a: 1 }]);
    expect(VALUES.map(asText).filter(Boolean)).toEqual(['text']);
    expect(VALUES.map(asNumber).filter((one) => one !== undefined)).toEqual([0, 1.5]);
    expect(VALUES.flatMap(asList)).toEqual([1]);
  });
});

it.each<[unknown, number]>([
  [1, 0],
  [null, 0],
  [{}, 0],
  [[1, 2], 2],
  [{ a: { b: [1, { c: 2 }] } }, 5],
])('%j has %i entries', (value, entries) => {
  expect(hasMoreEntriesThan(entries, value)).toBe(false);
  expect(entries === 0 || hasMoreEntriesThan(entries - 1, value)).toBe(true);
});
