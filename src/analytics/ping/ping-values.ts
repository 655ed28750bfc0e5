import { OTHER } from '../dimensions.js';

/** Four numbers of nine digits, which Firefox takes, and the dots between them; some room for letters. */
const VERSION_MAX = 48;
/** Dotted numbers as all stores take them, and the letters that Firefox and `version_name` allow behind them. */
const VERSION = /^\d+(\.\d+)*([a-z+-][\w.+-]*)?$/i;
/** BCP 47: a language, perhaps a script, perhaps a region; whatever comes behind those is not kept. */
const LANGUAGE = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@].*)?$/i;

/** The version as it is counted. What is no version is `other`: nobody's own text is kept. Pure. */
export function countedVersion(given: string): string {
  const version = given.trim();
  return version.length <= VERSION_MAX && VERSION.test(version) ? version : OTHER;
}

/** The language as it is counted: the language and the region of BCP 47, such as `pt-BR`. Null is unknown, `other` no language. Pure. */
export function countedLanguage(given: string | undefined): string | null {
  if (given === undefined) return null;
  const [, language, , region] = LANGUAGE.exec(given.trim()) ?? [];
  if (language === undefined) return OTHER;
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}
