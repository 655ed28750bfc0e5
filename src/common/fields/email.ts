import { isEmail, ValidateBy } from 'class-validator';

/** Text that PostgreSQL can hold and every client can show: no NUL, no lone surrogate. */
export const CLEAN_TEXT = /^(?!.*\p{Surrogate})[^\0]*$/su;
export const isCleanText = (text: string): boolean => CLEAN_TEXT.test(text);

/** The one rule for addresses of people, wherever they come from: nothing that a mail header would read as more than an address. */
export const isEmailAddress = (text: unknown): text is string =>
  // Clean first, because isEmail throws at a lone surrogate.
  typeof text === 'string' && isCleanText(text) && isEmail(text, { blacklisted_chars: '"<>' });

/** How an address is kept: trimmed and in lower case. */
export const foldEmail = (text: string): string => text.trim().toLowerCase();

export const IsEmailAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEmailAddress',
    validator: { validate: isEmailAddress, defaultMessage: () => 'must be an e-mail address.' },
  });
