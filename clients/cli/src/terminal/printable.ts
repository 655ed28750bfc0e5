/** What moves the cursor, hides or reorders what a person reads: control characters but tabs and line ends, and bidirectional overrides. */
const UNPRINTABLE = /(?!\t|\r?\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
const ESCAPE = '\u001B';
/** The formats that this program uses itself. */
const FORMAT = new RegExp(`(${ESCAPE}\\[(?:0|1|2|4|22|24|3[1-79])m)`);

/** Removes from text what a service, a store or a manifest may have in it to deceive who reads it in a terminal. Pure. */
export const printable = (text: string): string =>
  text
    .split(FORMAT)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(UNPRINTABLE, '')))
    .join('');

/** The same JSON with these characters escaped. Pure. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
