/** The door for decisions: what needs no framework. */
export * from './html.js';
