/** Packages as zips: what one holds, what is wrong with it, and what its push is warned about. Pure, but for reading the file. */
export * from './archive-errors.js';
export * from './finding-sentence.js';
export { isObject, type JsonObject } from './json-text.js';
export { inspectArchive, readIndex } from './inspect-archive.js';
export { pictureIn } from './picture.js';
export * from './justifications.js';
export { parseManifest, type PackageManifest } from './manifest.js';
export * from './package-index.js';
export { inspectApp } from './app/pure.js';
export * from './warnings/index.js';
export { inTurns } from './zip/index.js';
