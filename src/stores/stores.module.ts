import { Module } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { Config } from '../common/config/index.js';
import { HttpClient } from '../common/net/index.js';
import { announcedStores } from './announced.store.js';
import { ChromeStore } from './chrome/chrome.store.js';
import { EdgeStore } from './edge/edge.store.js';
import { StoresController } from './stores.controller.js';
import { Stores } from './stores.js';

@Module({
  controllers: [StoresController],
  providers: [
    {
      provide: Stores,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => {
        const chrome = {
          apiUrl: config.chromeApiUrl,
          tokenUrl: config.chromeTokenUrl,
          updateUrl: config.chromeUpdateUrl,
        };
        const edge = { apiUrl: config.edgeApiUrl, publicUrl: config.edgePublicUrl };
        const origins = [...Object.values(chrome), ...Object.values(edge)].map((url) => new URL(url).origin);
        const http = new HttpClient({ allowedHosts: origins });
        return new Stores([
          new ChromeStore(chrome, http, clock),
          new EdgeStore(edge, http, clock),
          ...announcedStores(),
        ]);
      },
    },
  ],
  exports: [Stores],
})
export class StoresModule {}
