/** Warnings at the push of a version. Pure. */
export { newWarnings } from './permission-warnings.js';
export * from './warnings.js';
