/** The door for decisions: what needs no framework. */
export * from './next-attempt.js';
