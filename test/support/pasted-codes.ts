type Paste = (code: string) => string;

const dashed =
  (dash: string): Paste =>
  (code) =>
    code.replaceAll('-', dash);
const around =
  (before: string, after = before): Paste =>
  (code) =>
    before + code + after;
const fullWidth = (code: string): string =>
  Array.from(code, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('');

/** Codes as mail programs, word processors and people garble them, with all symbols in order. */
export const PASTED: readonly (readonly [string, Paste])[] = [
  ['as it is', (code) => code],
  ['in lower case', (code) => code.toLowerCase()],
  ['without its dashes', dashed('')],
  ['with spaces', dashed(' ')],
  ['with no-break spaces', dashed('\u00A0')],
  ['with tabs', dashed('\t')],
  ['with line ends', dashed('\r\n')],
  ['with a line end behind it', around('', '\r\n')],
  ['behind a byte order mark', around('\uFEFF', '')],
  ['with zero-width spaces', dashed('-\u200B')],
  ['with a zero-width non-joiner behind it', around('', '\u200C')],
  ['behind a word joiner', around('\u2060', '')],
  ['with soft hyphens', dashed('\u00AD')],
  ['between marks of direction', around('\u200E')],
  ['with hyphens of Unicode', dashed('\u2010')],
  ['with non-breaking hyphens', dashed('\u2011')],
  ['with figure dashes', dashed('\u2012')],
  ['with en dashes', dashed('\u2013')],
  ['with em dashes', dashed('\u2014')],
  ['with minus signs', dashed('\u2212')],
  ['with underscores', dashed('_')],
  ['with dots', dashed('.')],
  ['in full-width characters', fullWidth],
  ['in straight quotes', around('"')],
  ['in typographic quotes', around('\u201C', '\u201D')],
  ['in angle brackets', around('<', '>')],
  ['in backticks', around('`')],
  ['at the end of a sentence', around('', '.')],
  ['behind a label', around('License: ', '')],
  ['behind a label of two words in quotes', around('"License key: ', '"')],
  ['behind a label with an accent', around('Código de licencia: ', '')],
  ['with a combining mark behind each symbol', (code) => Array.from(code, (letter) => `${letter}\u0300`).join('')],
  ['broken by quoted-printable', (code) => `${code.slice(0, 7)}=\r\n${code.slice(7)}`],
];

/** Texts that hold no single code. */
export const WRONGLY_PASTED: readonly (readonly [string, Paste])[] = [
  ['twice', (code) => `${code} ${code}`],
  ['in a sentence', (code) => `My license is ${code}`],
  ['without its last symbol', (code) => code.slice(0, -1)],
  ['with a digit too many', (code) => `${code}7`],
];
