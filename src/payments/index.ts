/**
 * The payment processors: a port, and one adapter for each. This folder imports only `common`. A notification counts only when its processor
 * signed it, its meaning is a pure function of it, and nothing is kept between calls.
 */
export * from './processor.js';
export type { PurchaseDetails, Item, Money, PaymentFact, Refund, SoldLine, TakenBack } from './payment-fact.js';
export { REF_KINDS, type Payload, type RefKind } from './payload.js';
export type { PaymentCredentials } from './payment-credentials.js';
export { PaymentFailure } from './payment-failure.js';
export type { SignedRequest } from './signatures.js';
export { Processors } from './processors.js';
export { PaymentsModule } from './payments.module.js';
