import { randomBytes } from 'node:crypto';

const CODES = 10;
/** Without letters that look like digits or like each other (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 80 bits: a fast hash is safe, since nobody can try them all. */
const LENGTH = 16;

/** Makes recovery codes, such as `7K2M-QX4T-9RWA-3HBV`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: CODES }, () =>
    [...randomBytes(LENGTH)]
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  );

/** Returns a recovery code as it is hashed, however it was typed. Pure. */
export const foldRecoveryCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
