import { countCharacters } from '../common/net/pure.js';
import type { Capabilities } from './capabilities.dto.js';

/** Release notes of a version. */
export interface ReleaseNotes {
  /** For every language without a text of its own; null for none. */
  readonly notes: string | null;
  /** Texts by locale, such as `de` or `pt-BR`. */
  readonly localizedNotes: Readonly<Record<string, string>>;
}

/** Texts for the languages of a listing. */
interface ListingNotes {
  /** By the listing's own locales; those without a text are left out. */
  readonly texts: Readonly<Record<string, string>>;
  /** Locales of the notes that the listing has no use for. */
  readonly leftOut: readonly string[];
}

interface LikelyLocale {
  readonly language: string;
  readonly script?: string | undefined;
  readonly baseName: string;
}

/** The locale with its most likely script and region: `zh-CN` and `zh-Hans` are the same. Text that names no locale is its own language. */
function likely(locale: string): LikelyLocale {
  try {
    return new Intl.Locale(locale === 'no' ? 'nb' : locale).maximize();
  } catch {
    return { language: locale, baseName: locale };
  }
}

/**
 * Finds the locale that serves `wanted` best: the same one; the same by its likely script and region (`de` and `de-DE`, `zh-TW` and
 * `zh-Hant`); then one of the same language and script, of its main region first. Null when none is of that language. Pure.
 */
export function matchOf(wanted: string, offered: readonly string[]): string | null {
  const { language, script, baseName } = likely(wanted);
  const main = likely(script === undefined ? language : `${language}-${script}`).baseName;
  const isSameLanguage = (other: string): boolean =>
    likely(other).language === language && likely(other).script === script;
  return (
    offered.find((other) => other.toLowerCase() === wanted.toLowerCase()) ??
    offered.find((other) => likely(other).baseName === baseName) ??
    offered.find((other) => likely(other).baseName === main) ??
    offered.find(isSameLanguage) ??
    null
  );
}

/**
 * Chooses the text for each language of a listing: that of its locale or language, else `notes`, else that of the main language. Pure.
 * @param main the listing's main locale; null where it does not matter
 */
export function notesForListing(
  { notes, localizedNotes }: ReleaseNotes,
  locales: readonly string[],
  main: string | null,
): ListingNotes {
  const written = Object.keys(localizedNotes);
  const used = new Map(locales.map((locale) => [locale, matchOf(locale, written)]));
  const ofMain = main === null ? null : matchOf(main, written);
  const fallback = notes ?? localizedNotes[ofMain ?? ''];
  const texts = [...used].flatMap(([locale, from]) => {
    const text = from === null ? fallback : localizedNotes[from];
    return text === undefined ? [] : [[locale, text] as const];
  });
  const leftOut = written.filter((each) => ![...used.values()].includes(each));
  return { texts: Object.fromEntries(texts), leftOut };
}

/** A sentence about notes in languages that a listing does not have; undefined when there are none. Pure. */
export const leftOutNote = (leftOut: readonly string[], why: string): string | undefined =>
  leftOut.length === 0 ? undefined : `The release notes for ${leftOut.join(', ')} were left out: ${why}.`;

/** The parts of a store's capabilities that decide about release notes. */
type NotesRule = Pick<Capabilities, 'releaseNotes' | 'releaseNotesMaxLength' | 'releaseNotesLocales'>;

/** A text of release notes that is longer than a store accepts. */
export interface LongNotes {
  /** Null for the text for all languages. */
  readonly locale: string | null;
  /** Characters. */
  readonly length: number;
}

/** The texts that a store would refuse or cut for their length. Pure. */
export function longNotes(
  { releaseNotes, releaseNotesMaxLength: max }: NotesRule,
  { notes, localizedNotes }: ReleaseNotes,
): readonly LongNotes[] {
  if (!releaseNotes || max === null) return [];
  const texts = [[null, notes ?? ''] as const, ...Object.entries(localizedNotes)];
  return texts.flatMap(([locale, text]) => {
    const length = countCharacters(text);
    return length > max ? [{ locale, length }] : [];
  });
}

/** The locales of release notes that a store has no listings in. Pure. */
export const unknownLocales = (
  { releaseNotes, releaseNotesLocales }: NotesRule,
  { localizedNotes }: Pick<ReleaseNotes, 'localizedNotes'>,
): readonly string[] =>
  releaseNotes ? Object.keys(localizedNotes).filter((locale) => matchOf(locale, releaseNotesLocales) === null) : [];
