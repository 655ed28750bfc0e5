import { randomInt } from 'node:crypto';

/** Consonants only, so that no word comes out and no letter looks like a digit (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;
const FORM = new RegExp(`^[${LETTERS}]{${2 * HALF}}$`);

/** Makes a code that people compare, such as `WDJB-MJHT`: one of 25 thousand million. */
export function newUserCode(): string {
  const letters = Array.from({ length: 2 * HALF }, () => LETTERS[randomInt(LETTERS.length)] ?? '').join('');
  return written(letters);
}

/** Returns a code as `newUserCode` writes it, however a person typed it; null for what is none. Pure. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return FORM.test(letters) ? written(letters) : null;
}

const written = (letters: string): string => `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
