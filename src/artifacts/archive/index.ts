/** Packages: their manifests, what is wrong with one, and what its push is warned about. Only the worker thread reads the file itself. Pure. */
export * from './archive-errors.js';
export * from './finding-sentence.js';
export { isObject, type JsonObject } from './json-text.js';
export { pictureIn } from './picture.js';
export * from './justifications.js';
export { parseManifest, type PackageManifest } from './manifest.js';
export * from './package-index.js';
export * from './warnings/index.js';
