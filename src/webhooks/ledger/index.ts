/** The state of a purchase after its events. Pure. */
export {
  type BoughtPart,
  type Entitlement,
  NO_PAYMENTS,
  type PaymentRecord,
  entitlementOf,
  newRevocation,
  overAt,
  readRecord,
  recordFor,
} from './apply-payment.js';
export { ERASED, wanted, withImported } from './by-tenant.js';
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
export { type MoneyMove } from './charges.js';
export { type Dated, changedAt } from './dated.js';
export { figuresOf } from './figures.js';
export { paidTimeOf } from './paid-periods.js';
export { takenBackAt } from './taken-back.js';
export { type PaymentLedger, type Purchase, buyerOf, emailFor, isAbout, recordFact } from './payment-ledger.js';
