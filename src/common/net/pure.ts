/** The entry point for decisions: what needs no framework. */
export * from './plain-json.js';
