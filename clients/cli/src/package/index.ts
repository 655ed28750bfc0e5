/** Packages on the author's machine: finding, reading, zipping, checking and rebuilding them. Knows nothing of the service. */
export { findBuild, packageFor, type Build } from './build.js';
export { readManifest } from './manifest.js';
export { lint } from './linter.js';
export { preparePackage, prepareSources, type PreparedPackage } from './prepared.js';
export { checkSources, type Difference } from './sources.js';
export type { Zipping } from './zip-folder.js';
