/** The entry point for decisions: what needs no framework. */
export { MAX_LICENSE_SEATS } from './seat-limit.js';
export {
  endOfDuration,
  expiredFrom,
  NOTICE_DAYS,
  ON_END,
  renewalOf,
  termOf,
  type LicenseEnd,
  type LicenseTerm,
  type NoticeDays,
  type OnEnd,
} from './term.js';
