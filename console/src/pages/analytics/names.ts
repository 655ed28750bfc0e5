import type { Schemas } from '../../api';
import { STORES, type StoreId } from '../../ui/names';

export type Dimension = keyof Schemas['Shares'];

/** Label of values that an install did not report, or a ping could not tell. */
const UNKNOWN = 'Unknown';
export const OTHERS = 'Others';

const REGIONS = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });
const LANGUAGES = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' });

/** A name that the browser knows; the code itself where it is none, since installs can send anything. */
function displayName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The flag of a country as the two letters that a font draws as one; nothing for what is no country. Pure. */
export function flagOf(country: string | null): string {
  if (country === null || !/^[A-Z]{2}$/.test(country)) return '';
  return String.fromCodePoint(...[...country].map((letter) => 0x1_f1_e6 + letter.charCodeAt(0) - 65));
}

/** Text of a dimension's value for people. Pure. */
export function nameOf(dimension: Dimension, value: string | null): string {
  if (value === null) return UNKNOWN;
  if (value === 'other') return OTHERS;
  switch (dimension) {
    case 'country':
      return displayName(REGIONS, value);
    case 'language':
      return displayName(LANGUAGES, value);
    case 'store':
      return STORES[value as StoreId] ?? value;
    case 'licensed':
      return value === 'licensed' ? 'Licensed' : 'Free';
    default:
      return value;
  }
}
