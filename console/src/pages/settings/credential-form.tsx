import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, CopyField, Field, Form, OutLink, Select } from '../../ui';
import { nested, PROCESSOR_FIELDS, PROCESSORS, readKeyFile, type CredentialField } from './credential-fields';
import css from './settings.module.css';

type Credential = Schemas['Credential'];
type Provider = Credential['store'];

const isProcessor = (provider: Provider): provider is keyof typeof PROCESSORS => provider in PROCESSORS;

/** Names of stores and processors, by their ids. */
export function useProviders(): {
  readonly nameOf: (provider: Provider) => string;
  readonly stores: readonly Schemas['StoreDescription'][];
} {
  const { data } = useQuery({
    queryKey: ['stores'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/stores', { signal })),
    staleTime: Infinity,
  });
  const stores = data?.items ?? [];
  const nameOf = (provider: Provider): string =>
    isProcessor(provider) ? PROCESSORS[provider] : (stores.find(({ id }) => id === provider)?.title ?? provider);
  return { nameOf, stores };
}

interface CredentialFormProps {
  /** The credential whose secrets are replaced; null for a new one. */
  readonly rotated: Credential | null;
  readonly onDone: () => void;
}

interface Entered {
  readonly chosen: Provider | null;
  readonly label: string;
  /** A day; empty for the default. */
  readonly expires: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Makes a credential, or replaces the secrets of one. */
const useSave = (rotated: Credential | null, { chosen, label, expires, values }: Entered) =>
  useWrite({
    write: () => {
      const body = {
        label: label === '' ? null : label,
        credentials: nested(values),
        ...(expires === '' ? {} : { expiresAt: `${expires}T00:00:00.000Z` }),
      };
      if (rotated === null)
        return answer(api.POST('/api/v1/credentials', { body: { store: chosen ?? 'chrome', ...body } }));
      const params = { path: { id: rotated.id }, header: { 'If-Match': `"${rotated.updatedAt}"` } };
      return answer(api.PATCH('/api/v1/credentials/{id}', { params, body }));
    },
    changes: [['credentials']],
    says: ({ identity }) => `Verified: ${identity}.`,
  });

interface WhereToFindProps {
  readonly provider: Provider | null;
  readonly steps: Schemas['StoreDescription']['steps'];
}

/** What a person does at the store or payment processor first. */
function WhereToFind({ provider, steps }: WhereToFindProps): ReactElement | null {
  const { tenant } = useSession();
  if (provider === null) return null;
  if (isProcessor(provider))
    return (
      <CopyField
        label="address of the webhook"
        value={`${window.location.origin}/api/v1/licensing/webhooks/${provider}/${tenant.id}`}
      />
    );
  return (
    <ol>
      {steps.map(({ number, text, url }) => (
        <li key={number}>{url === '' ? text : <OutLink href={url}>{text}</OutLink>}</li>
      ))}
    </ol>
  );
}

/** The secrets of a store or payment processor, which verifies them before they are kept. */
export function CredentialForm({ rotated, onDone }: CredentialFormProps): ReactElement {
  const { nameOf, stores } = useProviders();
  const [chosen, setChosen] = useState<Provider | null>(rotated?.store ?? null);
  const [label, setLabel] = useState(rotated?.label ?? '');
  const [expires, setExpires] = useState('');
  const [form, setForm] = useState('0');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const store = stores.find(({ id }) => id === chosen);
  const forms = store?.credentials.forms ?? [PROCESSOR_FIELDS];
  const fields = forms[Number(form)] ?? [];
  const save = useSave(rotated, { chosen, label, expires, values });
  const providers = [...stores.map(({ id }): Provider => id), ...(Object.keys(PROCESSORS) as Provider[])];
  return (
    <Form
      label="Credential"
      onSubmit={() => save.mutate(undefined, { onSuccess: onDone })}
      problem={save.error}
      actions={
        <Button type="submit" kind="primary" isBusy={save.isPending} disabled={chosen === null}>
          {rotated === null ? 'Verify and save' : 'Verify and replace'}
        </Button>
      }
    >
      {rotated === null && (
        <Select
          label="Store or payment processor"
          value={chosen}
          onValue={(next) => {
            setChosen(next);
            setForm('0');
            setValues({});
          }}
          options={providers.map((value) => ({ value, label: nameOf(value) }))}
        />
      )}
      <WhereToFind provider={chosen} steps={store?.steps ?? []} />
      <KindOfKey
        forms={forms}
        value={form}
        onValue={(next) => {
          setForm(next);
          setValues({});
        }}
      />
      {chosen !== null && <Fields key={`${chosen} ${form}`} fields={fields} values={values} onValues={setValues} />}
      {chosen !== null && (
        <>
          <Field
            label="Label (optional)"
            hint="Tells two credentials of one store apart."
            value={label}
            onValue={setLabel}
            fault={save.error?.fault('label')}
          />
          <Field
            label="Expires (optional)"
            hint="You are reminded before that day."
            type="date"
            value={expires}
            onValue={setExpires}
            fault={save.error?.fault('expiresAt')}
          />
        </>
      )}
    </Form>
  );
}

interface KindOfKeyProps {
  readonly forms: readonly (readonly CredentialField[])[];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A choice between the forms of a store that takes several. */
function KindOfKey({ forms, value, onValue }: KindOfKeyProps): ReactElement | null {
  if (forms.length < 2) return null;
  const options = forms.map((fields, index) => ({
    value: String(index),
    label: fields.map(({ title }) => title).join(', '),
  }));
  return <Select label="Kind of key" value={value} onValue={onValue} options={options} />;
}

interface FieldsProps {
  readonly fields: readonly CredentialField[];
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
}

function Fields({ fields, values, onValues }: FieldsProps): ReactElement {
  const fileNames = [...new Set(fields.flatMap(({ file }) => file?.name ?? []))];
  return (
    <>
      {fields
        .filter(({ file }) => file === undefined)
        .map(({ name, title, how, isSecret, isRequired }) => (
          <Field
            key={name}
            label={isRequired ? title : `${title} (optional)`}
            hint={how}
            type={isSecret ? 'password' : 'text'}
            autoComplete="off"
            value={values[name] ?? ''}
            onValue={(value) => onValues({ ...values, [name]: value })}
          />
        ))}
      {fileNames.map((fileName) => (
        <KeyFile
          key={fileName}
          fileName={fileName}
          fields={fields.filter(({ file }) => file?.name === fileName)}
          onRead={(read) => onValues({ ...values, ...read })}
        />
      ))}
    </>
  );
}

interface KeyFileProps {
  readonly fileName: string;
  readonly fields: readonly CredentialField[];
  readonly onRead: (values: Readonly<Record<string, string>>) => void;
}

/** A key file, read in the page. */
function KeyFile({ fileName, fields, onRead }: KeyFileProps): ReactElement {
  const id = useId();
  const [said, setSaid] = useState<string | null>(null);
  const read = async (file: File): Promise<void> => {
    try {
      onRead(readKeyFile(fields, { name: file.name, text: await file.text() }));
      setSaid(`Read ${file.name}.`);
    } catch (fault) {
      setSaid(fault instanceof Error ? fault.message : 'The file cannot be read.');
    }
  };
  return (
    <div className={css.file}>
      <label htmlFor={id}>Key file, such as {fileName}</label>
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void read(file);
          // So that the same file can be chosen again after it was corrected.
          target.value = '';
        }}
      />
      <div id={`${id}-hint`} className={css.second} aria-live="polite">
        {said ?? fields[0]?.how}
      </div>
    </div>
  );
}
