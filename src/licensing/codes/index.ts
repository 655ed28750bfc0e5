/** Codes of licenses, of which only digests are stored. */
export { MAX_PASTED_CODE } from './code.js';
export { besides, codeParts } from './code-parts.js';
export { CodesService, type StoredCode } from './codes.service.js';
