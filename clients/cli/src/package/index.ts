/** Packages on the author's machine: finding, reading, zipping, checking and rebuilding them. Knows nothing of the service. */
export { findBuild, packageFor, type Build, type BuiltPackage } from './build.js';
export { readManifest, type Manifest } from './manifest.js';
export { lint, type LinterMessage, type LinterReport } from './linter.js';
export { preparePackage, prepareSources, type PreparedPackage } from './prepared.js';
export { checkSources, type Difference, type Recipe } from './sources.js';
