export * from './config.js';
/** @public for scripts/env-example.mjs */
export { envExample } from './env-example.js';
export * from './kept-secrets.js';
export { SETTINGS, type IdentifiedKey } from './settings.js';
