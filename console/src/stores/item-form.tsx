import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../api';
import { Field, Form, Select } from '../ui';
import { idsIn } from './credential-values';

type ItemField = 'storeItemId' | 'crxId';

interface ItemFormProps {
  readonly store: Schemas['StoreDescription'];
  readonly target: Schemas['Target'];
  /** The tenant's credentials for this store, of which there is one at least. */
  readonly credentials: readonly Schemas['Credential'][];
  readonly onSaved?: (target: Schemas['Target']) => void;
}

/** Says which item of a store an extension is, and with which key it is published; from then on, pushes go there. */
export function ItemForm({ store, target, credentials, onSaved }: ItemFormProps): ReactElement {
  const [ids, setIds] = useState<Partial<Record<ItemField, string>>>({
    storeItemId: target.storeItemId ?? '',
    crxId: target.crxId ?? '',
  });
  const [credentialId, setCredentialId] = useState(target.credentialId ?? credentials[0]?.id ?? null);
  const save = useWrite({
    write: () => {
      const given = store.item.fields.map(({ name }) => [name, ids[name]?.trim() === '' ? null : ids[name]] as const);
      const body: Schemas['UpdateTarget'] = { ...Object.fromEntries(given), credentialId, enabled: true };
      const path = { id: target.extensionId, targetId: target.id };
      return answer(api.PATCH('/api/v1/extensions/{id}/targets/{targetId}', { params: { path }, body }));
    },
    changes: [['extensions'], ['overview']],
    announcement: () => `Pushes now go to ${store.title}.`,
  });
  return (
    <Form
      label={`Item at ${store.title}`}
      onSubmit={() => save.mutate(undefined, { onSuccess: (saved) => onSaved?.(saved) })}
      problem={save.error}
      submit="Publish there"
      isBusy={save.isPending}
    >
      {credentials.length > 1 && (
        <Select
          label="Key"
          value={credentialId}
          onValue={setCredentialId}
          options={credentials.map(({ id, label, lastFour }) => ({
            value: id,
            label: label ?? `${store.title} …${lastFour}`,
          }))}
        />
      )}
      {store.item.fields.map(({ name, title, how, isRequired }) => (
        <Field
          key={name}
          label={isRequired ? title : `${title} (optional)`}
          hint={`${how} You can paste the URL.`}
          value={ids[name] ?? ''}
          onValue={(pasted) => setIds({ ...ids, ...idsIn(store.item, pasted, name) })}
          fault={save.error?.fault(name)}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </Form>
  );
}
