import { hash } from 'node:crypto';

/** Crockford's base32, without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS = 5;
const DATA_SYMBOLS = 23;
const CHECK_SYMBOLS = 2;
const GROUP = 5;
/** A foreign code of this shape is refused: it is more likely a mistyped code of Pierhead. */
const OWN_SHAPE = /^[0-9A-Z]{24,26}$/;
const UUID_SHAPE = /^[0-9A-F]{32}$/;
/** Long enough for keys that hold what they say, and its signature. */
const FOREIGN_SHAPE = /^[\x21-\x7e]{16,512}$/;
/** Longer than any code with what surrounds it. */
export const MAX_PASTED_CODE = 1024;
/** Words before a colon or an equals sign, such as `License key:`. */
const LABEL = /^[^\p{L}\d]{0,10}\p{L}[\p{L}\p{M}\s]{0,40}[:=]/u;
/** The end of a line in quoted-printable, which some mail programs show. */
const SOFT_BREAK = /=\r?\n/g;
/** Hyphens and dashes of all kinds, white space, and characters that nobody sees. */
const BREAKS = /[\s\p{Pd}\u2212\p{Cf}]/gu;

/** Least number of different characters; a random code of 16 hexadecimal digits nearly always has more. */
const FOREIGN_VARIETY = 6;

/** Number of random bytes for a new code; 115 of their 120 bits are used. */
export const CODE_RANDOM_BYTES = Math.ceil((DATA_SYMBOLS * BITS) / 8);

/**
 * Writes a license code, `XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`: 115 random bits and two check symbols.
 * @param random at least CODE_RANDOM_BYTES from a cryptographic source
 */
export function writeCode(random: Uint8Array): string {
  if (random.length < CODE_RANDOM_BYTES) throw new Error(`A code takes ${CODE_RANDOM_BYTES} random bytes`);
  const data = symbolsOf(random, DATA_SYMBOLS);
  const all = data + checkOf(data);
  return (all.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
}

/**
 * Reads a code as people type and paste it: in any case, with O for 0 and I or L for 1, full-width, behind a label such as `License:`, and with
 * anything around and between its symbols that is neither a letter nor a digit, as mail programs and word processors add it.
 * @returns its 25 symbols, or null when their number, a character or the check symbols are wrong
 */
export function readCode(text: string): string | null {
  for (const letters of spellingsOf(text)) {
    const symbols = letters.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
    if (!/^[0-9A-HJKMNP-TV-Z]{25}$/.test(symbols)) continue;
    if (checkOf(symbols.slice(0, DATA_SYMBOLS)) === symbols.slice(DATA_SYMBOLS)) return symbols;
  }
  return null;
}

/**
 * Reads a code that another tool made, as people type and paste it: a UUID like a code of our own; of any other, only what nobody sees and
 * hyphens and spaces are left out, since punctuation may be part of it.
 * @returns its characters, or null when they are too few or too much alike to be a secret, or could be one of our own codes, mistyped
 */
export function readForeignCode(text: string): string | null {
  const uuid = spellingsOf(text).find((letters) => UUID_SHAPE.test(letters));
  const characters = uuid ?? withoutBreaks(text).toUpperCase();
  if (OWN_SHAPE.test(characters) || !FOREIGN_SHAPE.test(characters)) return null;
  return new Set(characters).size >= FOREIGN_VARIETY ? characters : null;
}

/** The letters and digits of a text in upper case, as it is and without a label. */
function spellingsOf(text: string): readonly string[] {
  if (text.length > MAX_PASTED_CODE) return [];
  // Decomposed, so that a combining mark stays apart from the symbol before it.
  const folded = text.normalize('NFKD');
  return [folded, folded.replace(LABEL, '')].map((one) => one.replaceAll(/[^0-9a-z]/gi, '').toUpperCase());
}

const withoutBreaks = (text: string): string =>
  text.slice(0, MAX_PASTED_CODE).normalize('NFKC').replaceAll(SOFT_BREAK, '').replaceAll(BREAKS, '');

/** The part of a code that stays visible: its last five symbols. */
export const codeHint = (symbols: string): string => symbols.slice(-GROUP);

/** The first ten bits of SHA-256 over the data symbols as ASCII, as two symbols. */
const checkOf = (data: string): string => symbolsOf(hash('sha256', data, 'buffer'), CHECK_SYMBOLS);

/** Writes the first bits of some bytes, five per symbol. */
function symbolsOf(bytes: Uint8Array, count: number): string {
  let symbols = '';
  for (let index = 0; index < count; index += 1) {
    const [byte, bit] = [(index * BITS) >> 3, (index * BITS) & 7];
    const pair = ((bytes[byte] ?? 0) << 8) | (bytes[byte + 1] ?? 0);
    symbols += ALPHABET.charAt((pair >> (16 - BITS - bit)) & 31);
  }
  return symbols;
}
