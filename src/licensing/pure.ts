/** The entry point for decisions: what needs no framework. */
export { claimDigest } from './delivery/claim-token.js';
/** @public for payments */
export {
  isRevokedByPayment,
  statusOf,
  type LicenseStatus,
  type Revocation,
  type LicenseState,
  type Suspension,
} from './licenses/license-status.js';
