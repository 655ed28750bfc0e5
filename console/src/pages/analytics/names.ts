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
