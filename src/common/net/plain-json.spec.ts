import { describe, expect, it } from '@jest/globals';
import { asList, asNumber, asRecord, asText } from './plain-json.js';

const VALUES = [undefined, null, 0, 1.5, NaN, '', ' ', 'text', true, [], [1], {}, { a: 1 }];

describe('unknown JSON', () => {
  it('is read only where it has the wanted type', () => {
    expect(VALUES.map(asRecord).filter(Boolean)).toEqual([{}, { a: 1 }]);
    expect(VALUES.map(asText).filter(Boolean)).toEqual(['text']);
    expect(VALUES.map(asNumber).filter((one) => one !== undefined)).toEqual([0, 1.5]);
    expect(VALUES.flatMap(asList)).toEqual([1]);
  });
});
