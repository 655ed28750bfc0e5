/** The entry point for what the command line client runs too: reading a package, without what only the service warns about. */
export { findingView } from './finding-sentence.js';
export { inspectArchive } from './inspect-archive.js';
export { justificationFaults } from './justifications.js';
export { MAX_JSON_BYTES } from './archive-limits.js';
export { decodeText } from './json-text.js';
export { inspectApp } from './app/pure.js';
export { findMessage, manifestFrom, manifestObject } from './manifest.js';
