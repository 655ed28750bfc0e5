/** The entry point for decisions: what needs no framework. */
export * from './plain-json.js';
export { quotable } from './quotable.js';
export { countCharacters, truncate, redact, redactText } from './redact.js';
export { parseRetryAfter } from './retry-after.js';
export { withoutTrailingSlashes } from './trailing-slashes.js';
