/** The entry point for what the command line client runs too: reading a package, without what only the service warns about. */
export { findingView } from './finding-sentence.js';
export { inspectArchive } from './inspect-archive.js';
export { justificationFaults } from './justifications.js';
export { manifestFrom } from './manifest.js';
