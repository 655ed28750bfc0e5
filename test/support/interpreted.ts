import type { PaymentFact, ProcessorId } from '../../src/payments/index.js';
import type { Notification } from './purchases.js';
import {
  HttpClient,
  LemonSqueezyProcessor,
  PaddleProcessor,
  PolarProcessor,
  Processors,
  StripeProcessor,
} from './app.js';

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
