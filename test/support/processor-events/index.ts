import type { ProcessorId } from '../../../src/payments/index.js';
import { creem } from './creem.js';
import { dodo } from './dodo.js';
import type { TestedProcessor } from './events.js';
import { lemonsqueezy } from './lemonsqueezy.js';
import { paddle } from './paddle.js';
import { polar } from './polar.js';
import { stripe } from './stripe.js';

/** What tests know of each processor. */
export const FULL_SIZE: Readonly<Record<ProcessorId, TestedProcessor>> = {
  stripe,
  paddle,
  lemonsqueezy,
  polar,
  creem,
  dodo,
};
