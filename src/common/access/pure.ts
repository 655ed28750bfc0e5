/** The entry point for decisions: what needs no framework. */
export * from './address-key.js';
export * from './roles.js';
export * from './work-context.js';
