/** The entry point for decisions: what needs no framework. */
export * from './store.js';
export { StoreFailure, type FailureDetails, type FailureKind, type ThrottledCalls } from './failures/store-failure.js';
export * from './version.js';
export {
  SEVERITIES,
  type Messages,
  type PackageContents,
  type PackageFacts,
  type PreflightTarget,
  type Severity,
} from './preflight/preflight.js';
export * from './preflight/store-rules.js';
