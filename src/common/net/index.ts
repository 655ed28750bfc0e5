/**
 * The only way out of this process: requests to allowed origins, bounded in time and size. Promises a typed failure that
 * holds no secret, and the means to keep an answer without one.
 */
export * from './adapter-registry.js';
export { Deadline } from './deadline.js';
export { HttpClient, type HttpAnswer, type HttpRequest } from './http-client.js';
export { HttpFailure } from './http-failure.js';
export * from './plain-json.js';
export { cutText, redact, redactText } from './redact.js';
export { parseRetryAfter } from './retry-after.js';
export { withLeaseCheck } from './lease-check.js';
