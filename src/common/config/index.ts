export * from './config.js';
/** @public for scripts/settings-documents.mjs */
export { configurationGuide, envExample } from './settings-documents.js';
export * from './kept-secrets.js';
export { isLoopback, localUrl } from './setting-values.js';
export { PROCESSOR_IDS, SETTINGS, type AddressSetting, type IdentifiedKey, type ProcessorId } from './settings.js';
