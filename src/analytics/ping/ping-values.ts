import { STORE_IDS } from '../../stores/pure.js';
import { OTHER } from '../dimensions.js';

/** Four numbers of nine digits, which Firefox allows, with dots between them, and some room for letters. */
const MAX_VERSION = 48;
/** Dotted numbers, as all stores allow, and the letters that Firefox and `version_name` allow behind them. */
const VERSION = /^\d+(\.\d+)*([a-z+-][\w.+-]*)?$/i;
/** BCP 47: a language, optionally a script and a region; anything behind them is dropped. */
const LANGUAGE = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@].*)?$/i;

/** Returns the version as it is counted; `other` for text that is not a version, so that no free text is stored. Pure. */
export function countedVersion(given: string): string {
  const version = given.trim();
  return version.length <= MAX_VERSION && VERSION.test(version) ? version : OTHER;
}

/** Returns the language as it is counted: language and region of BCP 47, such as `pt-BR`; null when unknown, `other` when invalid. Pure. */
export function countedLanguage(given: string | undefined): string | null {
  if (given === undefined) return null;
  const [, language, , region] = LANGUAGE.exec(given.trim()) ?? [];
  if (language === undefined) return OTHER;
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}

/** Returns the store as it is counted: its id; `other` for text that names none, null when unknown. Pure. */
export function countedStore(given: unknown): string | null {
  if (typeof given !== 'string' || given === '') return null;
  return STORE_IDS.find((id) => id === given.trim().toLowerCase()) ?? OTHER;
}

/** Returns whether the install is licensed, as it says; null when it says neither. Pure. */
export const countedLicensed = (given: unknown): boolean | null => (typeof given === 'boolean' ? given : null);
