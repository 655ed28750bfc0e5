/** Rules about packages: what a store's rules are made of, and those that stores share. Pure. */
export * from './preflight.js';
export * from './rules.js';
export { CHROMIUM_RULES } from './chromium.rules.js';
export * from './values.js';
export { evalInFirefox } from './content-security.js';
export { absentPage, leftOver } from './files.js';
