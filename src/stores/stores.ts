import { AdapterRegistry } from '../common/net/index.js';
import { withSecretRedaction } from './failures/secret-redaction.js';
import { STORE_IDS, type Store, type StoreId } from './store.js';

/** All stores. None of them repeats a secret. */
export class Stores extends AdapterRegistry<StoreId, Store> {
  constructor(stores: readonly Store[]) {
    super(STORE_IDS, stores.map(withSecretRedaction));
  }
}
