/**
 * Plans, licenses, seats and signed leases. Promises that no race seats one device more than was sold, that a device that holds a
 * seat keeps it, and that a code is shown once. Never knows of payments: those issue and change licenses through LicensesRepository.
 */
export { LicensingModule } from './licensing.module.js';
/** @public for payments */
export { LicensesRepository, type LicenseChange, type NewLicense } from './licenses/licenses.repository.js';
/** @public for payments */
export { LicenseEntity } from './licenses/license.entity.js';
/** @public for payments */
export {
  isRevokedByPayment,
  statusOf,
  type LicenseStatus,
  type Revocation,
  type LicenseState,
  type Suspension,
} from './licenses/license-status.js';
/** @public for payments */
export { PlanEntity } from './plans/plan.entity.js';
/** @public for payments */
export { PlansService } from './plans/plans.service.js';
export { claimDigest, CodeClaimsService, CodeMailsService, DeliveryModule } from './delivery/index.js';
export { BUYER_PATHS, BuyerModule } from './buyer/index.js';
