/** The entry point for decisions: what needs no framework. */
export { MAX_LICENSE_SEATS } from './seat-limit.js';
export {
  DURATION_STARTS,
  endOfDuration,
  expiredFrom,
  NOTICE_DAYS,
  ON_END,
  termOf,
  type DurationStart,
  type EndTerms,
  type LicenseEnd,
  type LicenseTerm,
  type NoticeDays,
  type OnEnd,
} from './term.js';
