/** Packages on the author's machine: finding, reading, zipping, checking and rebuilding them. Knows nothing of the service. */
export { findBuild, packageFor, type Build, type BuiltPackage } from './build.js';
export { readManifest, type Manifest } from './manifest.js';
export { preparePackage, type PreparedPackage } from './prepared.js';
