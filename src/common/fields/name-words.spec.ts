import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { nameWords, namesWith } from './name-words.js';

describe('a name', () => {
  it.each([
    ['Ada Lovelace-Byron', "'ada' 'lovelace' 'byron'"],
    ['  ÉMILIE  du Châtelet ', "'emilie' 'du' 'chatelet'"],
    ["O'Brien, Ann ann", "'o' 'brien' 'ann'"],
    ['山田 太郎', "'山田' '太郎'"],
    ['–', null],
    [null, null],
  ])('%j is kept as the words %s', (name, words) => {
    expect(nameWords(name)).toBe(words);
  });

  it.each([
    ['Ada', "'ada':*"],
    [' byr  ADA ', "'byr':* & 'ada':*"],
    ["o'br", "'o':* & 'br':*"],
    ['ad', null],
    ['ada@', null],
    ['@example', null],
    ['12345', null],
    ['', null],
  ])('is found by %j as %s', (text, query) => {
    expect(namesWith(text)).toBe(query);
  });

  it('has no sign in its words that PostgreSQL would read, and none too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 500 }), (name) => {
        const words = nameWords(name)?.split(' ') ?? [];
        for (const word of words) expect(word).toMatch(/^'[\p{L}\p{N}]{1,100}'$/u);
      }),
    );
  });
});
