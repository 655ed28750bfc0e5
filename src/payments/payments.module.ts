import { Module } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { HttpClient } from '../common/net/index.js';
import { makeProcessors } from './adapters.js';
import { PROCESSOR_IDS, type ProcessorId } from './processor.js';
import { Processors } from './processors.js';

@Module({
  providers: [
    {
      provide: Processors,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => {
        const apiUrlOf = (id: ProcessorId): string => config[`${id}ApiUrl`];
        return makeProcessors(apiUrlOf, new HttpClient({ allowedHosts: PROCESSOR_IDS.map(apiUrlOf) }), clock);
      },
    },
  ],
  exports: [Processors],
})
export class PaymentsModule {}
