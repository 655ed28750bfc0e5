import { randomInt } from 'node:crypto';

/** Consonants only, so that no word comes out and no letter looks like a digit (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;
const FORM = new RegExp(`^[${LETTERS}]{${2 * HALF}}$`);

/** Makes a code that people compare, such as `WDJB-MJHT`: one of 25 billion. */
export function newUserCode(): string {
  const letters = Array.from({ length: 2 * HALF }, () => LETTERS[randomInt(LETTERS.length)] ?? '').join('');
  return formatted(letters);
}

/** Returns a code in the form of `newUserCode`, however a person typed it; null for text that is not a code. Pure. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return FORM.test(letters) ? formatted(letters) : null;
}

const formatted = (letters: string): string => `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
