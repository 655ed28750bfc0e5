/** Codes of licenses, of which only digests are stored. */
export { CodesService, type StoredCode } from './codes.service.js';
