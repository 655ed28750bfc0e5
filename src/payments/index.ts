/**
 * The payment processors: one port, one adapter each, and the registry that refuses a hole. A leaf: it knows `common` and nothing else of ours.
 * Promises that a notification counts only when its processor signed it, and that what it means is a pure function of it. Keeps nothing between calls.
 */
export * from './processor.js';
export type { About, Item, PaymentFact } from './payment-fact.js';
export type { Payload } from './payload.js';
export type { PaymentCredentials } from './payment-credentials.js';
export { PaymentFailure } from './payment-failure.js';
export type { SignedRequest } from './signatures.js';
export { Processors } from './processors.js';
export { PaymentsModule } from './payments.module.js';
