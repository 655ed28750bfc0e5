import { styleText } from 'node:util';

/** Characters that move the cursor, or hide or reorder text: control characters but tabs and line ends, and bidirectional overrides. */
const UNPRINTABLE = /(?!\t|\r?\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
const ESCAPE = '\u001B';
/** Stands for the escape of this program's own formats until they are printed. Nobody else's text can know it, and feign a color. */
const OWN_ESCAPE = `\uE000${Math.random().toString(36).slice(2)}\uE000`;
/** Splits text at its formats and links, which are every second part. */
export const OWN_FORMATS = new RegExp(`(${OWN_ESCAPE}(?:\\[\\d+m|\\]8;;[!-~]*${OWN_ESCAPE}\\\\))`);

/** Formats text for `printable`. */
export const formatted = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text.replaceAll(UNPRINTABLE, ''), { validateStream: false }).replaceAll(ESCAPE, OWN_ESCAPE);

/** Links text for `printable`, as OSC 8 says: https://github.com/Alhadis/OSC8-Adoption. Text whose address is no page stays as it is. */
export function linkedTo(address: string, text: string): string {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return text;
  const link = (to: string): string => `${OWN_ESCAPE}]8;;${to}${OWN_ESCAPE}\\`;
  return `${link(new URL(address).href)}${text.replaceAll(UNPRINTABLE, '')}${link('')}`;
}

/** Removes from text what a service, a store or a manifest may have in it to deceive who reads it in a terminal. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '').replaceAll(OWN_ESCAPE, ESCAPE);

/** Returns the visible part of a text. */
export const seenOf = (text: string): string =>
  text
    .split(OWN_FORMATS)
    .filter((_, at) => at % 2 === 0)
    .join('')
    .replaceAll(UNPRINTABLE, '');

/** The same JSON with these characters escaped. Pure. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What stands for other characters where there is only ASCII. Each takes as many columns. */
const ASCII: Readonly<Record<string, string>> = {
  '●': '*',
  '○': '.',
  '◔': 'o',
  '✗': 'x',
  '✓': '+',
  '⚠': '!',
  '–': '-',
  '—': '-',
  '−': '-',
  '→': '>',
  '…': '~',
  '·': '.',
  '▁': '_',
  '▂': '-',
  '▃': '~',
  '▄': ':',
  '▅': '=',
  '▆': '+',
  '▇': '*',
  '█': '#',
  '★': '*',
  '☆': '.',
  '’': "'",
  '“': '"',
  '”': '"',
};
const REPLACED = new RegExp(`[${Object.keys(ASCII).join('')}]`, 'g');

/** The same text in ASCII as far as it is this program's own. Pure. */
export const inAscii = (text: string): string =>
  text.replaceAll(REPLACED, (character) => ASCII[character] ?? character);
