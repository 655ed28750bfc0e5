/** Failures at a store: their kinds, the rules that recognise them, and the removal of secrets. */
export {
  type ErrorRule,
  type StoreAnswer,
  UNDOCUMENTED_ANSWER,
  WEB_PAGE_RULE,
  allOf,
  anyOf,
  failureOf,
  isStatus,
  isWebPage,
  joinTexts,
  messageMatches,
  retryAfterOf,
  ruleFor,
  says,
  withFullStop,
} from './error-rules.js';
export { withoutSecret } from './secret-redaction.js';
export { type FailureKind, StoreFailure, type ThrottledCalls } from './store-failure.js';
