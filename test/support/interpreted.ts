import type { PaymentFact, ProcessorId } from '../../src/payments/index.js';
import { PROCESSORS } from './processors.js';
import type { Notification } from './purchases.js';

/** What a processor's notifications mean, in their order. */
export const factsOf = (id: ProcessorId, notifications: readonly Notification[]): PaymentFact[] =>
  notifications.flatMap((payload) => {
    const processor = PROCESSORS.for(id);
    return [...processor.interpret(processor.read(payload, { headers: {}, body: Buffer.from('') }, new Date(0)))];
  });
