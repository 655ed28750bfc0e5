import { HttpClient } from '../../src/common/net/index.js';
import type { PaymentFact, ProcessorId } from '../../src/payments/index.js';
import { LemonSqueezyProcessor } from '../../src/payments/lemonsqueezy/lemonsqueezy.processor.js';
import { PaddleProcessor } from '../../src/payments/paddle/paddle.processor.js';
import { PolarProcessor } from '../../src/payments/polar/polar.processor.js';
import { Processors } from '../../src/payments/processors.js';
import { StripeProcessor } from '../../src/payments/stripe/stripe.processor.js';
import type { Notification } from './purchases.js';

const line = { http: new HttpClient({ allowedHosts: [] }), clock: { now: () => new Date() }, apiUrl: '' };
const processors = new Processors([
  new StripeProcessor(line),
  new PaddleProcessor(line),
  new LemonSqueezyProcessor(line),
  new PolarProcessor(line),
]);

/** What a processor's notifications say, in their order. */
export const factsOf = (id: ProcessorId, notifications: readonly Notification[]): PaymentFact[] =>
  notifications.flatMap((payload) => {
    const processor = processors.for(id);
    return [...processor.interpret(processor.read(payload, { headers: {}, body: Buffer.from('') }, new Date(0)))];
  });
