import { Module } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { HttpClient } from '../common/net/index.js';
import { ChromeStore } from './chrome/chrome.store.js';
import { EdgeStore } from './edge/edge.store.js';
import { FirefoxStore } from './firefox/firefox.store.js';
import { SafariStore } from './safari/safari.store.js';
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
        const firefox = { apiUrl: config.amoApiUrl };
        const edge = { apiUrl: config.edgeApiUrl, publicUrl: config.edgePublicUrl };
        const safari = { apiUrl: config.ascApiUrl };
        const urls = [chrome, firefox, edge, safari].flatMap((one) => Object.values(one));
        const http = new HttpClient({ allowedHosts: urls.map((url) => new URL(url).origin) });
        return new Stores([
          new ChromeStore(chrome, http, clock),
          new FirefoxStore(firefox, http, clock),
          new EdgeStore(edge, http, clock),
          new SafariStore(safari.apiUrl, http, clock),
        ]);
      },
    },
  ],
  exports: [Stores],
})
export class StoresModule {}
