import { useState, type ReactElement } from 'react';
import { useProcessors, useStores, type Schemas } from '../../api';
import { useSession } from '../../session';
import { CredentialForm, StoreSteps, type Provider } from '../../stores';
import { CopyField, Dialog, Select } from '../../ui';

type Credential = Schemas['Credential'];

/** The stores and processors that a credential can be of. */
export function useProviders(): {
  readonly providers: readonly Provider[];
  readonly nameOf: (id: Provider['id']) => string;
} {
  const { data: stores = [] } = useStores();
  const { can } = useSession();
  const { data } = useProcessors({ enabled: can('licenses:read') });
  const providers = [
    ...stores.map((store): Provider => ({ ...store, ...store.credentials })),
    ...(data?.processors ?? []).map(({ processor, title, form }): Provider => ({ id: processor, title, ...form })),
  ];
  return { providers, nameOf: (id) => providers.find((one) => one.id === id)?.title ?? id };
}

interface CredentialDialogProps {
  /** The credential whose secrets are replaced; null for a new one. */
  readonly rotated: Credential | null;
  /** Its name on the page. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks for the secrets of a store or payment processor, which verifies them before they are kept. */
export function CredentialDialog({ rotated, name, onClose }: CredentialDialogProps): ReactElement {
  const { providers } = useProviders();
  const [chosen, setChosen] = useState<Provider['id'] | null>(rotated?.store ?? null);
  const provider = providers.find(({ id }) => id === chosen);
  return (
    <Dialog
      title={rotated === null ? 'Add a credential' : `Rotate ${name}`}
      {...(rotated === null ? {} : { description: 'Targets use the new key at once, and are checked again.' })}
      isOpen
      onClose={onClose}
    >
      {rotated === null && (
        <Select
          label="Store or payment processor"
          value={chosen}
          onValue={setChosen}
          options={providers.map(({ id, title }) => ({ value: id, label: title }))}
        />
      )}
      {provider !== undefined && (
        <>
          <WhereToFind id={provider.id} />
          <CredentialForm key={provider.id} provider={provider} rotated={rotated} onSaved={onClose} />
        </>
      )}
    </Dialog>
  );
}

/** Steps of a person at the store or payment processor first. */
function WhereToFind({ id }: { readonly id: Provider['id'] }): ReactElement {
  const { tenant } = useSession();
  const { data: stores = [] } = useStores();
  const store = stores.find((one) => one.id === id);
  if (store !== undefined) return <StoreSteps store={store} />;
  return (
    <CopyField
      label="address of the webhook"
      value={`${window.location.origin}/api/v1/licensing/webhooks/${id}/${tenant.id}`}
    />
  );
}
