/** Packages on the author's machine: finding, reading, zipping, checking and rebuilding them. Knows nothing of the service. */
export { findBuild, packageFor, type Build, type BuiltPackage } from './build.js';
export { readManifest } from './manifest.js';
export { lint, type LinterMessage } from './linter.js';
export { lastingPath, newestOf } from './patterns.js';
export { preparePackage, prepareSources, type PreparedPackage } from './prepared.js';
export { checkSources, type Difference } from './sources.js';
export type { Zipping } from './zip-folder.js';
