import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { nameKeyOf } from './name-key.js';

describe('two names are one', () => {
  it.each([
    ['Night Owl', 'night owl'],
    ['Café', 'Cafe\u0301'],
    ['Ångström', 'A\u030Angstro\u0308m'],
    ['Ａｂｃ', 'abc'],
    ['ﬁle', 'FILE'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
    ['Ǆ', 'ǆ'],
    ['Night\u200d Owl', 'Night Owl'],
    ['Night\u200cOwl', 'NightOwl'],
    ['Night\u{115f}Owl', 'NightOwl'],
    ['Owl\ufe0f', 'Owl'],
    ['Owl\uffa0', 'Owl'],
  ])('%j and %j', (one, other) => {
    expect(nameKeyOf(one)).toBe(nameKeyOf(other));
  });

  it.each([
    ['Night Owl', 'Night Owls'],
    ['Night Owl', 'NightOwl'],
    ['Cafe', 'Café'],
    ['夜', '梟'],
  ])('but not %j and %j', (one, other) => {
    expect(nameKeyOf(one)).not.toBe(nameKeyOf(other));
  });

  it('when they differ in case or Unicode form only, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          expect(nameKeyOf(name.normalize(form))).toBe(nameKeyOf(name));
        expect(nameKeyOf(name.toUpperCase())).toBe(nameKeyOf(name));
        expect(nameKeyOf(name.toLowerCase())).toBe(nameKeyOf(name));
        expect(nameKeyOf(nameKeyOf(name))).toBe(nameKeyOf(name));
      }),
      { numRuns: 500 },
    );
  });
});
