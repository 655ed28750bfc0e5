import {
  HttpClient,
  LemonSqueezyProcessor,
  PaddleProcessor,
  PolarProcessor,
  Processors,
  StripeProcessor,
} from './app.js';

const http = new HttpClient({ allowedHosts: [] });
const clock = { now: () => new Date() };

/** All payment processors, for tests that need no API: the registry refuses to be built without one of `PROCESSOR_IDS`. */
export const PROCESSORS = new Processors([
  new StripeProcessor('', http, clock),
  new PaddleProcessor('', http, clock),
  new LemonSqueezyProcessor('', http, clock),
  new PolarProcessor('', http, clock),
]);
