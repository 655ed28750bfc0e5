import type { HttpClient } from '../common/net/index.js';
import type { Clock } from '../common/system/index.js';
import { CreemProcessor } from './creem/creem.processor.js';
import { DodoProcessor } from './dodo/dodo.processor.js';
import { LemonSqueezyProcessor } from './lemonsqueezy/lemonsqueezy.processor.js';
import { PaddleProcessor } from './paddle/paddle.processor.js';
import { PolarProcessor } from './polar/polar.processor.js';
import { PROCESSOR_IDS, type Processor, type ProcessorId } from './processor.js';
import { Processors } from './processors.js';
import { StripeProcessor } from './stripe/stripe.processor.js';

const ADAPTERS: Readonly<Record<ProcessorId, new (apiUrl: string, http: HttpClient, clock: Clock) => Processor>> = {
  stripe: StripeProcessor,
  paddle: PaddleProcessor,
  lemonsqueezy: LemonSqueezyProcessor,
  polar: PolarProcessor,
  creem: CreemProcessor,
  dodo: DodoProcessor,
};

/** Makes the adapter of each processor. @param apiUrlOf the address of its API */
export const makeProcessors = (apiUrlOf: (id: ProcessorId) => string, http: HttpClient, clock: Clock): Processors =>
  new Processors(PROCESSOR_IDS.map((id) => new ADAPTERS[id](apiUrlOf(id), http, clock)));
