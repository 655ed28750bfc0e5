/**
 * Outgoing requests: to allowed origins only, bounded in time and size, with typed failures that contain no secret; and functions that
 * remove secrets from answers.
 */
export * from './pure.js';
export * from './adapter-registry.js';
export { Deadline, within } from './deadline.js';
export { HttpClient, isWithin, type HttpAnswer, type HttpRequest } from './http-client.js';
export { HttpFailure } from './http-failure.js';
export { withLockCheck } from './lock-check.js';
