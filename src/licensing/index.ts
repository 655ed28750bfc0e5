/**
 * License plans, licenses, seats and signed leases. Concurrent requests never give out more seats than were sold, a device keeps the seat that it
 * holds, and a code is shown once. This folder knows no payments: `webhooks` issues and changes licenses through LicenseLifecycleService and
 * LicensesRepository.
 */
export { LicensingModule } from './licensing.module.js';
export { LicenseLifecycleService, newDelivery, type NewLicense } from './licenses/license-lifecycle.service.js';
export { LicenseEventsService, type ToldFact } from './events/index.js';
/** @public for tests, which decide when it runs */
export { LicenseExpiryService } from './licenses/license-expiry.service.js';
/** @public for tests, which decide when it runs */
export { ImportWorker } from './imports/index.js';
export { LicensesRepository, type LicenseChange } from './licenses/licenses.repository.js';
export { buyerDomainSql, licenseStatusSql } from './licenses/listed-licenses.repository.js';
export { CheckoutLinks } from './plans/index.js';
export { PurchaseLookup, type PaymentPages } from './licenses/purchase-lookup.js';
export { importSource, LicenseEntity } from './licenses/license.entity.js';
export { LicensePlansService, type ListedPlan, type SoldPlan, type SoldPlans } from './plans/license-plans.service.js';
export { CodeClaimsService, CodeMailsService, type MailedOrder, DeliveryModule } from './delivery/index.js';
export { BrandingModule } from './branding/index.js';
export { BatchesModule } from './batches/index.js';
export { BuyingModule } from './buying/index.js';
export { CustomersModule } from './customers/index.js';
export { GiftsModule } from './gifts/index.js';
export { MembersModule } from './members/index.js';
export { BuyerModule } from './buyer/index.js';
/** @public for tests, which decide when it runs */
export { TrialUpkeepService } from './trials/index.js';
export { TrialsModule } from './trials/index.js';
export { PlanNotFound, ProductTaken } from './licensing.problems.js';
export { CodesService } from './codes/codes.service.js';
export { readCode } from './codes/code.js';
export * from './pure.js';
