import type { ProcessorId } from '../../../src/payments/index.js';
import type { FullSizeEvents } from './events.js';
import { lemonsqueezy } from './lemonsqueezy.js';
import { paddle } from './paddle.js';
import { polar } from './polar.js';
import { stripe } from './stripe.js';

/** The events of each processor at their full size. */
export const FULL_SIZE: Readonly<Record<ProcessorId, FullSizeEvents>> = { stripe, paddle, lemonsqueezy, polar };
