/** The entry point for decisions: what needs no framework. */
export {
  dueExpiryEvent,
  firstExpiryEvent,
  LICENSE_EVENTS,
  type LicenseEventKind,
  type LicenseEventReason,
  type LicenseFact,
  nextExpiryEvent,
  refusalKey,
} from './license-event.js';
