import { describe, expect, it } from 'vitest';
import { faultOf, wordsOf } from './faults';

describe('a fault', () => {
  it.each([
    ['Devices', 'must be a whole number.', 'Devices must be a whole number.'],
    ['store item id', 'is taken.', 'Store item id is taken.'],
    ['CRX id (optional)', 'is too long.', 'CRX id is too long.'],
    ['Devices', 'No plan has so many.', 'No plan has so many.'],
    ['', 'must not be empty.', 'Must not be empty.'],
  ])('of the field “%s” that %s', (name, message, sentence) => {
    expect(faultOf(name, message)).toBe(sentence);
  });

  it.each([
    ['name', 'name'],
    ['maxActivations', 'max activations'],
    ['0.productId', 'entry 1, product id'],
    ['11', 'entry 12'],
  ])('names the field %s, which no form shows, in words', (path, words) => {
    expect(wordsOf(path)).toBe(words);
  });
});
