/** The entry point for decisions: what needs no framework. */
export {
  LICENSE_STATUSES,
  type LicenseState,
  type LicenseStatus,
  type Revocation,
  type StatusAction,
  type Suspension,
  changeByTenant,
  devicesAllowed,
  entitlementsOf,
  statusOf,
} from './license-status.js';
export { decideInvitation, teamOf, type Team } from './team.js';
