/** The state of a purchase after its events. Pure. */
export {
  type BoughtPart,
  ERASED,
  type Entitlement,
  NO_PAYMENTS,
  type PaymentRecord,
  entitlementOf,
  newRevocation,
  overAt,
  readRecord,
  recordFor,
  wanted,
  withImported,
} from './apply-payment.js';
export {
  isSameOrder,
  itemHistory,
  itemsOf,
  namedPlan,
  plansNamedIn,
  productOf,
  productsOf,
  soldOnceIn,
} from './bought-items.js';
export { type Dated, changedAt } from './dated.js';
export { paidTimeOf } from './paid-periods.js';
export { type PaymentLedger, type Purchase, emailFor, isAbout, recordFact } from './payment-ledger.js';
