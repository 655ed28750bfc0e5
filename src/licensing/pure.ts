/** The entry point for decisions: what needs no framework. */
export { claimDigest } from './delivery/claim-token.js';
export { LICENSE_EVENTS, type LicenseEventKind, type LicenseEventReason } from './events/pure.js';
export { endOfDuration, termOf, type LicenseTerm } from './plans/pure.js';
export { orderIdIn } from './licenses/order-id.js';
export { SHORTEST_PART_OF_ORDER } from './licenses/order-search.js';
export {
  isRevokedByPayment,
  LICENSE_STATUSES,
  planChange,
  statusOf,
  type LicenseState,
  type LicenseStatus,
  type Revocation,
} from './licenses/license-status.js';
