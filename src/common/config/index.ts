export * from './config.js';
export * from './kept-secrets.js';
export { SETTINGS, type IdentifiedKey } from './settings.js';
