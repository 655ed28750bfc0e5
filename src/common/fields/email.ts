import validator from 'validator';

/** Text that PostgreSQL can hold and every client can show: no NUL, no lone surrogate. */
export const CLEAN_TEXT = /^(?!.*\p{Surrogate})[^\0]*$/su;
/** Whether text can be stored by PostgreSQL and shown by every client. */
export const isCleanText = (text: string): boolean => CLEAN_TEXT.test(text);

/** Invisible format characters, such as direction marks, with which one address could pass for another. */
const UNSEEN = /\p{Cf}/u;

/** Whether text is an e-mail address without invisible characters, and safe in a mail header. */
export const isEmailAddress = (text: unknown): text is string =>
  // Checks for clean text first, since isEmail throws on a lone surrogate.
  typeof text === 'string' &&
  isCleanText(text) &&
  !UNSEEN.test(text) &&
  validator.isEmail(text, { blacklisted_chars: '"<>' });

/** The mailbox that an address leads to: text after a plus is the owner's own. */
export function mailboxOf(email: string): string {
  const folded = foldEmail(email);
  const plus = folded.indexOf('+');
  const at = folded.indexOf('@', plus);
  return plus === -1 || at === -1 ? folded : folded.slice(0, plus) + folded.slice(at);
}

/** Returns an address as it is stored: trimmed and in lower case. */
export const foldEmail = (text: string): string => text.trim().toLowerCase();
