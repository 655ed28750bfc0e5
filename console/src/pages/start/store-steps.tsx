import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { CredentialForm, ItemForm, StoreSteps } from '../../stores';
import { Select, STORES, useFilters, type StoreId } from '../../ui';

type Stores = readonly Schemas['StoreDescription'][];

/** The choice of a store; it is part of the address, so that a reload or a link keeps it. */
function useStore(stores: Stores) {
  const [search, set] = useFilters();
  const store = stores.find(({ id }) => id === search.get('store')) ?? stores[0];
  const select = stores.length > 1 && (
    <Select<StoreId>
      label="Store"
      value={store?.id ?? null}
      onValue={(id) => set('store', id)}
      options={stores.map(({ id }) => ({ value: id, label: STORES[id] }))}
    />
  );
  return { store, select };
}

/** Leads to the first key: what to do at the store, then the form. */
export function ConnectStep({ stores }: { readonly stores: Stores }): ReactElement | null {
  const { store, select } = useStore(stores);
  if (store === undefined) return null;
  return (
    <>
      <p>Begin with one store; others can follow at any time. Keys are checked at the store, then kept encrypted.</p>
      {select}
      <StoreSteps store={store} />
      <CredentialForm key={store.id} provider={{ ...store, ...store.credentials }} />
    </>
  );
}

interface ItemStepProps {
  /** Stores for which Pierhead has a key. */
  readonly stores: Stores;
  readonly targets: readonly Schemas['Target'][];
  readonly credentials: readonly Schemas['Credential'][];
}

/** Connects the extension with its item at a store. */
export function ItemStep({ stores, targets, credentials }: ItemStepProps): ReactElement | null {
  const { store, select } = useStore(stores);
  const target = targets.find((one) => one.store === store?.id);
  if (store === undefined || target === undefined) return null;
  return (
    <>
      {select}
      <ItemForm
        key={target.id}
        store={store}
        target={target}
        credentials={credentials.filter((one) => one.store === store.id)}
      />
    </>
  );
}
