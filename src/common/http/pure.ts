/** The entry point for decisions: what needs no framework. */
export { CONSOLE } from './console-paths.js';
export * from './html.js';
