import type { AddressSetting, Config } from '../common/config/index.js';
import { HttpClient } from '../common/net/index.js';
import type { Clock } from '../common/system/index.js';
import { ChromeStore } from './chrome/chrome.store.js';
import { EdgeStore } from './edge/edge.store.js';
import { FirefoxStore } from './firefox/firefox.store.js';
import { SafariStore } from './safari/safari.store.js';
import { STORE_IDS, type Store, type StoreId } from './store.js';
import { Stores } from './stores.js';

/** The class of an adapter; `addresses` names the settings of the URLs that it is made with. */
interface Adapter {
  readonly addresses: Readonly<Record<string, AddressSetting>>;
  /** Domains of the files that users of the store get. */
  readonly fileDomains?: readonly string[];
  new (urls: never, http: HttpClient, clock: Clock): Store;
}

const ADAPTERS: Readonly<Record<StoreId, Adapter>> = {
  chrome: ChromeStore,
  firefox: FirefoxStore,
  edge: EdgeStore,
  safari: SafariStore,
};

/** The settings of the addresses at which a store is called. */
export const addressesOf = (store: StoreId): readonly AddressSetting[] => Object.values(ADAPTERS[store].addresses);

/** Makes the adapter of each store. */
export function makeStores(
  config: Pick<Config, AddressSetting | 'ascReportDomains' | 'ascUploadDomains'>,
  clock: Clock,
): Stores {
  const hosts = STORE_IDS.flatMap(addressesOf).map((address) => new URL(config[address]).origin);
  const served = STORE_IDS.flatMap((id) => ADAPTERS[id].fileDomains ?? []);
  const domains = [...config.ascReportDomains, ...config.ascUploadDomains, ...served];
  const http = new HttpClient({ allowedHosts: hosts, allowedDomains: domains });
  return new Stores(
    STORE_IDS.map((id) => {
      const { [id]: Adapter } = ADAPTERS;
      const urls = Object.entries(Adapter.addresses).map(([name, address]) => [name, config[address]]);
      return new Adapter(Object.fromEntries(urls) as never, http, clock);
    }),
  );
}
