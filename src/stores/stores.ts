import { withSecretRedaction } from './secret-redaction.js';
import { STORE_IDS, type Store, type StoreId } from './store.js';

/** The adapters, exactly one for each id of `STORE_IDS`; otherwise the service does not start. None of them repeats a secret. */
export class Stores {
  private readonly byId: ReadonlyMap<StoreId, Store>;

  constructor(stores: readonly Store[]) {
    this.byId = new Map(stores.map((store) => [store.id, withSecretRedaction(store)]));
    const missing = STORE_IDS.filter((id) => !this.byId.has(id));
    if (missing.length > 0) throw new Error(`No adapter is registered for ${missing.join(', ')}`);
    if (stores.length !== this.byId.size) throw new Error('Two adapters are registered for one store');
  }

  for(id: StoreId): Store {
    const store = this.byId.get(id);
    if (store === undefined) throw new Error(`${id} is no store`);
    return store;
  }

  /** In the order of `STORE_IDS`. */
  get all(): readonly Store[] {
    return STORE_IDS.map((id) => this.for(id));
  }
}
