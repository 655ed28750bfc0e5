/** Licenses: their status, their life from the issue to the erasure, and the tenant's view of them. */
export * from './pure.js';
export {
  type AddedLicense,
  type IssuedLicense,
  LicenseLifecycleService,
  newDelivery,
  type NewLicense,
} from './license-lifecycle.service.js';
export {
  DELIVERIES,
  type Delivery,
  batchSource,
  ISSUED_BY_HAND,
  LicenseEntity,
  importSource,
} from './license.entity.js';
export { LicenseMemberEntity } from './license-member.entity.js';
export { IssueLicense, License, LicenseSelection, LicenseWithDevices } from './licenses.dto.js';
export { Device, FreeSeat, FreedSeat, MAX_FINGERPRINT, Seats } from './license-seats.dto.js';
export { DeviceCodesRepository } from './device-codes.repository.js';
export { CodeTaken, LicensesRepository } from './licenses.repository.js';
export {
  type LicenseFilter,
  licenseStatusSql,
  type ListedLicense,
  ListedLicensesRepository,
} from './listed-licenses.repository.js';
export { LicensesService, termGiven, toLicense } from './licenses.service.js';
export { type EndingLicense, LicenseExpiryService } from './license-expiry.service.js';
export { type PaymentPages, PurchaseLookup } from './purchase-lookup.js';
export { orderIdIn } from './order-id.js';
