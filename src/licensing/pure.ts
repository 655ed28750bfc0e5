/** The entry point for decisions: what needs no framework. */
export { claimDigest } from './delivery/claim-token.js';
export { isRevokedByPayment, type LicenseState, type Revocation } from './licenses/license-status.js';
