/**
 * The extension stores: one port, one adapter each, and the registry that refuses a hole. A leaf: it knows `common` and nothing else of ours.
 * Promises that every failure leaves as a classed `StoreFailure` and that no secret is in it. Keeps nothing between calls but access tokens.
 */
export * from './store.js';
export { StoreFailure, type FailureDetails, type FailureKind, type ThrottledCalls } from './store-failure.js';
export * from './version.js';
export { Stores } from './stores.js';
export { StoresModule } from './stores.module.js';
