/** Where flattened JSON:API keeps what a column is called. */
const PATH = /^(?:data[._])?(?:attributes|relationships|license)[._](?=.)/i;

/** Folds the name of a column, or a word: `License Key`, `license_key` and `attributes.licenseKey` are the same. */
export const foldName = (name: string): string =>
  name
    .trim()
    .replace(PATH, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}*]/gu, '');

/** Most characters of a name or a value by which somebody says how a file is read. */
export const MAX_SAID = 200;

/** Cuts a name or a value to what can be said. */
export const sayable = (text: string): string =>
  text.length <= MAX_SAID ? text : Array.from(text).slice(0, MAX_SAID).join('');

const YES = new Set(['1', 'true', 'yes', 'y', 'x']);
const NO = new Set(['0', 'false', 'no', 'n']);

/** Reads a cell of yes and no; null when it says neither. */
export function readFlag(cell: string): boolean | null {
  const word = foldName(cell);
  return YES.has(word) ? true : NO.has(word) ? false : null;
}

const NOTHING = new Set(['', 'null', 'nil', 'none', 'na', 'undefined']);

/** Whether a cell says that there is nothing, as `null`, `n/a` and a dash do. */
export const saysNothing = (cell: string): boolean => NOTHING.has(foldName(cell));
