import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../api';
import { Button, Field, FileField, Form, OutLink, Select, TextArea } from '../ui';
import { nested, valuesInFile } from './credential-values';
import css from './stores.module.css';

type Store = Schemas['StoreDescription'];

/** What a person does at a store before the first push, with the pages where it is done. */
export function StoreSteps({ store }: { readonly store: Store }): ReactElement {
  return (
    <ol className={css.steps}>
      {store.steps.map(({ number, text, url }) => (
        <li key={number}>
          {text} <OutLink href={url}>{new URL(url).host}</OutLink>
        </li>
      ))}
    </ol>
  );
}

interface CredentialFormProps {
  readonly store: Store;
  readonly onSaved?: (credential: Schemas['Credential']) => void;
}

/** Asks for a store's key, by hand or as the downloaded file. The store is asked whether it works before it is saved, encrypted. */
export function CredentialForm({ store, onSaved }: CredentialFormProps): ReactElement {
  const { forms, lapsesAfterDays } = store.credentials;
  const [form, setForm] = useState('0');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [label, setLabel] = useState('');
  const [unread, setUnread] = useState<string>();
  const fields = forms[Number(form)] ?? [];
  const files = [...new Set(fields.flatMap(({ file }) => file?.name ?? []))];
  const save = useWrite({
    write: () => {
      const credentials = nested(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])));
      const body = { store: store.id, credentials, ...(label.trim() === '' ? {} : { label }) };
      return answer(api.POST('/api/v1/credentials', { body }));
    },
    changes: [['credentials'], ['extensions']],
    says: ({ identity }) => `${store.title} accepted the key of ${identity}.`,
  });
  const read = async (file: File): Promise<void> => {
    const found = valuesInFile(fields, file.name, await file.text());
    setUnread(Object.keys(found).length === 0 ? `${file.name} contains none of these fields.` : undefined);
    setValues({ ...values, ...found });
  };
  return (
    <Form
      label={`Key of ${store.title}`}
      onSubmit={() => save.mutate(undefined, { onSuccess: (credential) => onSaved?.(credential) })}
      problem={save.error}
      actions={
        <>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            Check and save
          </Button>
          {lapsesAfterDays !== null && <span className={css.hint}>The key lapses after {lapsesAfterDays} days.</span>}
        </>
      }
    >
      {forms.length > 1 && (
        <Select
          label="Kind of key"
          value={form}
          onValue={setForm}
          options={forms.map((each, index) => ({
            value: String(index),
            label: kindOf(each, forms),
          }))}
        />
      )}
      {files.map((name) => (
        <FileField
          key={name}
          label={`Key file (${name.replaceAll(/\{[^}]*\}/g, '…')})`}
          hint="Fills in the fields below. It is read in this browser."
          fault={unread}
          onFile={(file) => void read(file)}
        />
      ))}
      {fields.map(({ name, title, how, isSecret, file }) => {
        const shared = {
          label: title,
          hint: how,
          value: values[name] ?? '',
          fault: save.error?.fault(`credentials.${name}`),
          onValue: (value: string) => setValues({ ...values, [name]: value }),
          autoComplete: 'off',
          spellCheck: false,
        };
        return file !== undefined && isSecret ? (
          <TextArea key={name} {...shared} />
        ) : (
          <Field key={name} {...shared} type={isSecret ? 'password' : 'text'} />
        );
      })}
      <Field label="Name, if you keep several" value={label} onValue={setLabel} fault={save.error?.fault('label')} />
    </Form>
  );
}

/** Names a form by the fields that not every form of the store has. */
function kindOf(form: readonly Schemas['FieldOfCredentials'][], forms: Store['credentials']['forms']): string {
  const isOwn = (name: string): boolean => !forms.every((other) => other.some((field) => field.name === name));
  const own = form.filter(({ name }) => isOwn(name));
  return (own.length === 0 ? form : own).map(({ title }) => title).join(', ');
}
