/**
 * The extension stores: one port, an adapter for each store, and their registry. The folder imports nothing but `common`.
 * Adapters throw only `StoreFailure`, which holds no secret, and keep nothing between calls but access tokens.
 */
export * from './pure.js';
export { addressesOf } from './adapters.js';
export { AddonsLinter } from './firefox/addons-linter.js';
export { Stores } from './stores.js';
export { StoresModule } from './stores.module.js';
/** @public for scripts/preflight-document.mjs */
export { makeStores } from './adapters.js';
/** @public for scripts/preflight-document.mjs */
export { preflightGuide } from './preflight-guide.js';
