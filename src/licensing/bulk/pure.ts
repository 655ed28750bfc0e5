/** The entry point for decisions: what needs no framework. */
export { IMPORT_COLUMNS } from './import-line.js';
