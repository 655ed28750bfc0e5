/** The entry point for decisions: what needs no framework. */
export * from './claim-form.js';
export { foldEmail, isCleanText, isEmailAddress, mailboxOf } from './email.js';
export * from './ids.js';
export * from './secrets.js';
export { namesWith, nameWords } from './name-words.js';
export { beginningWith, domainsBeginningWith, type TextRange } from './text-range.js';
