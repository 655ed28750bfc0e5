/** The entry point for decisions: what needs no framework. */
export * from './days.js';
export { OTHER } from './dimensions.js';
