/** The entry point for decisions: what needs no framework. */
export {
  dueAtEnd,
  firstEndMoment,
  LICENSE_EVENTS,
  type LicenseEventKind,
  type LicenseEventReason,
  type LicenseFact,
  nextEndMoment,
  refusalKey,
  type ToldFact,
} from './license-event.js';
