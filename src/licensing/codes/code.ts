import { hash } from 'node:crypto';

/** Crockford's base32, without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS = 5;
const DATA_SYMBOLS = 23;
const CHECK_SYMBOLS = 2;
const GROUP = 5;
/** A foreign code of this shape is refused: it is more likely a mistyped code of Pierhead. */
const OWN_SHAPE = /^[0-9A-Z]{24,26}$/;
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
 * Reads a code as people type it: in any case, with hyphens and spaces anywhere, O for 0, and I or L for 1.
 * @returns its 25 symbols, or null when its length, its characters or its check symbols are wrong
 */
export function readCode(text: string): string | null {
  const symbols = text.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (!/^[0-9A-HJKMNP-TV-Z]{25}$/.test(symbols)) return null;
  return checkOf(symbols.slice(0, DATA_SYMBOLS)) === symbols.slice(DATA_SYMBOLS) ? symbols : null;
}

/**
 * Reads a code that another tool made, as people type it: in any case, with hyphens and spaces anywhere.
 * @returns its characters, or null when they are too few or too much alike to be a secret, or could be one of our own codes, mistyped
 */
export function readForeignCode(text: string): string | null {
  const characters = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (OWN_SHAPE.test(characters) || !/^[\x21-\x7e]{16,100}$/.test(characters)) return null;
  return new Set(characters).size >= FOREIGN_VARIETY ? characters : null;
}

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
