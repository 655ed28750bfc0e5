import validator from 'validator';

/** Text that PostgreSQL can hold and every client can show: no NUL, no lone surrogate. */
export const CLEAN_TEXT = /^(?!.*\p{Surrogate})[^\0]*$/su;
/** Whether text can be stored by PostgreSQL and shown by every client. */
export const isCleanText = (text: string): boolean => CLEAN_TEXT.test(text);

/** Marks without a glyph of their own, such as one that changes the direction of text: with them, an address would look like another one. */
const UNSEEN = /\p{Cf}/u;

/** Whether text is an e-mail address that looks like itself, and nothing that a mail header could read as more than that. */
export const isEmailAddress = (text: unknown): text is string =>
  // Checks for clean text first, since isEmail throws on a lone surrogate.
  typeof text === 'string' &&
  isCleanText(text) &&
  !UNSEEN.test(text) &&
  validator.isEmail(text, { blacklisted_chars: '"<>' });

/** Returns an address as it is stored: trimmed and in lower case. */
export const foldEmail = (text: string): string => text.trim().toLowerCase();
