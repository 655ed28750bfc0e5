import { Module } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { HttpClient } from '../common/net/index.js';
import { LemonSqueezyProcessor } from './lemonsqueezy/lemonsqueezy.processor.js';
import { PaddleProcessor } from './paddle/paddle.processor.js';
import { PolarProcessor } from './polar/polar.processor.js';
import { Processors } from './processors.js';
import { StripeProcessor } from './stripe/stripe.processor.js';

@Module({
  providers: [
    {
      provide: Processors,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => {
        const { stripeApiUrl, paddleApiUrl, lemonsqueezyApiUrl, polarApiUrl } = config;
        const http = new HttpClient({ allowedHosts: [stripeApiUrl, paddleApiUrl, lemonsqueezyApiUrl, polarApiUrl] });
        return new Processors([
          new StripeProcessor(stripeApiUrl, http, clock),
          new PaddleProcessor(paddleApiUrl, http, clock),
          new LemonSqueezyProcessor(lemonsqueezyApiUrl, http, clock),
          new PolarProcessor(polarApiUrl, http, clock),
        ]);
      },
    },
  ],
  exports: [Processors],
})
export class PaymentsModule {}
