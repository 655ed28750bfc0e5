import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { countedLanguage, countedLicensed, countedStore, countedVersion } from './ping-values.js';

describe('a version', () => {
  it.each([
    ['1.2.3', '1.2.3'],
    ['1', '1'],
    [' 2024.11.21.7 ', '2024.11.21.7'],
    ['1.2.3b1', '1.2.3b1'],
    ['1.2.3-beta.1+build', '1.2.3-beta.1+build'],
    ['', 'other'],
    ['v1.2', 'other'],
    ['somebody@example.com', 'other'],
    ['1.2 3', 'other'],
    ['1..2', 'other'],
    ['1.', 'other'],
    ['٣', 'other'],
    ['999999999.999999999.999999999.999999999', '999999999.999999999.999999999.999999999'],
    ['1'.repeat(49), 'other'],
  ])('%j counts as %j', (given, counted) => {
    expect(countedVersion(given)).toBe(counted);
  });
});

describe('a language', () => {
  it.each([
    [undefined, null],
    ['en', 'en'],
    ['EN', 'en'],
    ['pt-br', 'pt-BR'],
    ['pt_BR.UTF-8', 'pt-BR'],
    ['zh-Hant-TW', 'zh-TW'],
    ['es-419', 'es-419'],
    ['de-DE-1996', 'de-DE'],
    ['de-1996', 'de'],
    ['en-US-x-private', 'en-US'],
    ['fil', 'fil'],
    ['', 'other'],
    ['english', 'other'],
    ['*', 'other'],
    ['en US', 'other'],
  ])('%j counts as %j', (given, counted) => {
    expect(countedLanguage(given)).toBe(counted);
  });
});

describe('a store', () => {
  it.each([
    [undefined, null],
    ['', null],
    [null, null],
    [['chrome'], null],
    ['chrome', 'chrome'],
    [' Edge ', 'edge'],
    ['Mozilla', 'other'],
    ['x'.repeat(10_000), 'other'],
  ])('%j counts as %j', (given, counted) => {
    expect(countedStore(given)).toBe(counted);
  });
});

it('an install counts as licensed or free only where it says true or false', () => {
  expect([true, false, 'true', 1, null, undefined].map(countedLicensed)).toEqual([true, false, null, null, null, null]);
});

it('whatever text is sent, no words of its own are kept, and counting again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 64 }), (text) => {
      expect(countedVersion(text)).toMatch(/^[\w.+-]{1,48}$/);
      expect(countedVersion(countedVersion(text))).toBe(countedVersion(text));
      expect(countedLanguage(text)).toMatch(/^([a-z]{2,3}(-([A-Z]{2}|\d{3}))?|other)$/);
    }),
    { numRuns: 500 },
  );
});
