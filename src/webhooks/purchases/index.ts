/** Sales under all their names, the licenses owed for them, and the reasons that a notification is recorded with. */
export { ORIGINS, type Origin } from './license-turns.js';
export { type Declined, declinedReason } from './named-license.js';
export { NO_LICENSE_YET, NOTHING_CHANGED, unreadReason, UNRELATED } from './notification-reasons.js';
export { OwedLicensesService } from './owed-licenses.service.js';
export type { AboutPurchase, Handling } from './purchase-change.js';
export { PurchaseEntity } from './purchase.entity.js';
export { PurchasesRepository } from './purchases.repository.js';
export { PurchasesService } from './purchases.service.js';
export { UnrelatedProductsRepository } from './unrelated-products.repository.js';
