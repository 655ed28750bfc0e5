export * from './fields.js';
export { foldEmail, isCleanText, isEmailAddress } from './email.js';
