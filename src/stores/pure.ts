/** The entry point for decisions: what needs no framework. */
export * from './store.js';
export { StoreFailure, type FailureDetails, type FailureKind, type ThrottledCalls } from './failures/store-failure.js';
export * from './version.js';
export type { Finding, Messages, PackageFacts } from './preflight/preflight.js';
