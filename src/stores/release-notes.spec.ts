import { describe, expect, it } from 'vitest';
import { leftOutNote, longNotes, matchOf, notesForListing, unknownLocales } from './release-notes.js';

describe('the locale that serves another', () => {
  it.each([
    ['de', ['en-US', 'de'], 'de'],
    ['DE', ['en-US', 'de'], 'de'],
    ['de', ['de-AT', 'de-DE'], 'de-DE'],
    ['de-AT', ['fr', 'de-CH', 'de'], 'de'],
    ['de-AT', ['fr', 'de-CH'], 'de-CH'],
    ['zh-Hans', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['zh-HK', ['zh-CN', 'zh-TW'], 'zh-TW'],
    ['zh-Hant', ['zh-CN'], null],
    ['no', ['nn-NO', 'nb-NO'], 'nb-NO'],
    ['nb-NO', ['no'], 'no'],
    ['pt', ['pt-PT', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['pt-BR'], 'pt-BR'],
    ['en-AU', ['en-CA', 'en-GB', 'en-US'], 'en-US'],
    ['es-MX', ['es'], 'es'],
    ['he', ['iw'], 'iw'],
    ['sr-Latn', ['sr'], null],
    ['eo', ['en-US'], null],
    ['de', [], null],
  ])('%s of %j is %s', (wanted, offered, found) => {
    expect(matchOf(wanted, offered)).toBe(found);
  });
});

describe('the texts of a listing', () => {
  const LOCALES = ['en-US', 'de-DE', 'fr-FR'];
  it.each([
    ['one text is for every language', { notes: 'All' }, { 'en-US': 'All', 'de-DE': 'All', 'fr-FR': 'All' }, []],
    [
      'a language has its own, the others the one for all',
      { notes: 'All', localizedNotes: { de: 'Alle' } },
      { 'en-US': 'All', 'de-DE': 'Alle', 'fr-FR': 'All' },
      [],
    ],
    [
      'without one for all, the others have that of the main language',
      { localizedNotes: { de: 'Alle', en: 'All' } },
      { 'en-US': 'All', 'de-DE': 'Alle', 'fr-FR': 'All' },
      [],
    ],
    ['or none', { localizedNotes: { de: 'Alle' } }, { 'de-DE': 'Alle' }, []],
    [
      'what the listing does not have is left out',
      { notes: 'All', localizedNotes: { fi: 'Kaikki', de: 'Alle', 'de-AT': 'Alles' } },
      { 'en-US': 'All', 'de-DE': 'Alle', 'fr-FR': 'All' },
      ['fi', 'de-AT'],
    ],
    ['no notes are no texts', {}, {}, []],
  ])('%s', (_title, given, texts, leftOut) => {
    const notes = { notes: null, localizedNotes: {}, ...given };
    expect(notesForListing(notes, LOCALES, 'en-US')).toEqual({ texts, leftOut });
  });

  it('say what was left out', () => {
    expect(leftOutNote(['fi', 'eo'], 'the listing has no such language')).toBe(
      'The release notes for fi, eo were left out: the listing has no such language.',
    );
    expect(leftOutNote([], 'x')).toBeUndefined();
  });
});

describe('the limits of a store', () => {
  const RULE = { releaseNotes: true, releaseNotesMaxLength: 5, releaseNotesLocales: ['en-US', 'de'] };
  const NONE = { ...RULE, releaseNotes: false };
  it.each([
    [RULE, { notes: '12345', localizedNotes: { de: '12345' } }, []],
    [
      RULE,
      { notes: '123456', localizedNotes: { de: '1234567', fr: '1' } },
      [
        { locale: null, length: 6 },
        { locale: 'de', length: 7 },
      ],
    ],
    [{ ...RULE, releaseNotesMaxLength: null }, { notes: '123456', localizedNotes: {} }, []],
    [NONE, { notes: '123456', localizedNotes: {} }, []],
  ])('%j of %j', (rule, notes, found) => {
    expect(longNotes(rule, notes)).toEqual(found);
  });

  it('and the locales that it does not know', () => {
    const localizedNotes = { de: 'a', 'en-GB': 'b', fi: 'c' };
    expect(unknownLocales(RULE, { localizedNotes })).toEqual(['fi']);
    expect(unknownLocales(NONE, { localizedNotes })).toEqual([]);
  });
});
