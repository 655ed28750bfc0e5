/** Warnings at the push of a version. Pure. */
export * from './warnings.js';
