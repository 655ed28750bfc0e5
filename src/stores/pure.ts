/** The entry point for decisions: what needs no framework. */
export * from './store.js';
export * from './announcements.js';
export * from './figures.js';
export * from './reviews.js';
export { StoreFailure, type FailureDetails, type FailureKind, type ThrottledCalls } from './failures/store-failure.js';
export * from './version.js';
export * from './release-notes.js';
export {
  contentScripts,
  iconFiles,
  lookedUpAs,
  SEVERITIES,
  type Messages,
  type PackageFacts,
  type Picture,
  type Severity,
} from './preflight/pure.js';
export * from './package-rules.js';
export { linterFindings, type LinterError } from './firefox/firefox.linter.js';
export {
  CRX_MAGIC,
  CRX_PREAMBLE_BYTES,
  CrxVerification,
  crxStartOf,
  InvalidCrx,
  InvalidSigningKey,
  newSigningKey,
  privatePemOf,
  publicPemOf,
  readCrxHeader,
  signingKeyOf,
  zipStartOf,
  type SigningKey,
} from './chrome/chrome.crx.js';
