/** What the push of a version is warned about. Pure. */
export * from './warnings.js';
