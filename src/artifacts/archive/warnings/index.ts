/** What the push of a version is warned about. Pure. */
export { newWarnings } from './permission-warnings.js';
export * from './warnings.js';
